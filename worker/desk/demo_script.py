"""What the players of the demo write: both sides' orders through three game-turns of Campaign 1."""

from __future__ import annotations

from dataclasses import dataclass

SCENARIO = "holdfast/campaign-1"
SECRET = "686578705" + "0" * 55
ADDRESSES = {"axis": "axis@player.example", "allied": "allied@player.example"}


@dataclass(frozen=True, slots=True)
class Session:
    """One orders mail: who, what it is about, its text; ``show``: words of the reply's lines that are worth showing; ``answer``: how
    the reply's subject must begin, its tag apart."""

    side: str
    what: str
    orders: str
    show: tuple[str, ...] = ()
    answer: str = "Done: "


SESSIONS = (
    Session("axis", "no aircraft against Malta this month", "COMMIT 0\nEND", ("Malta:",)),
    Session(
        "axis",
        "a slip of the pen: a unit of the other side; the whole mail is refused",
        "MOVE ARIETE TO Tobruk BY ROAD\nMOVE 2ARM 0706\nEND",
        ("refused", "is not your unit"),
        "Refused: ",
    ),
    Session(
        "axis",
        "Rommel's first blow: Benghazi, and into it if it falls",
        """
# the panzers lead, the Ariete exploits
MOVE 21PZ TO 0505 BY ROAD
ATTACK Benghazi WITH 21PZ AIR X1 LEADER
IF Benghazi VACANT MOVE ARIETE TO Benghazi
ELSE MOVE ARIETE TO 0506 BY ROAD
MOVE BRESCIA TO 0509 BY ROAD
MOVE PAVIA TO 0409 BY ROAD
END""",
        ("ARIETE moves", "attack:", "defence:", "is eliminated", "is now held"),
    ),
    Session(
        "axis",
        "the infantry follows, and the player-turn ends",
        "MOVE TRENTA TO 0508 BY ROAD\nMOVE SAVENA TO 0310\nDONE TURN\nEND",
        ("moves",),
    ),
    Session(
        "allied",
        "a draft: replacements, and a riposte of the armor",
        """
HOLD
STEP 9AUS 1
STEP 22GDS 1
REBUILD 2SA
MOVE 2ARM TO 0607
ATTACK 0508 WITH 2ARM
END""",
        ("kept as a draft",),
        "Draft kept: ",
    ),
    Session("allied", "DONE TURN alone carries the draft out", "DONE TURN\nEND", ("gains", "rebuilt", "hit", "weather is")),
    Session(
        "axis",
        "a whole player-turn in one mail: Malta, a replacement, a battle for the road",
        """
COMMIT 1
STEP TRENTA 1
MOVE 21PZ TO 0507
MOVE PAVIA TO 0608 BY ROAD
ON LOSSES LOSE PAVIA,TRENTA
ATTACK 0607 WITH 21PZ,TRENTA,PAVIA LEADER AS RIPOSTE
IF 0607 VACANT MOVE ARIETE TO 0605
DONE TURN
END""",
        ("Malta:", "gains", "hit", "is eliminated"),
    ),
    Session(
        "allied",
        "the desert flank falls back",
        """
STEP 7AUS 2
IF 2ARM ALIVE MOVE 2ARM TO 1304
MOVE FF TO 1504
MOVE 2SA TO 3407 BY ROAD
DONE TURN
END""",
        ("passed over", "gains", "moves", "weather is"),
    ),
    Session(
        "axis",
        "the third month: the 15th Panzer lands and goes up to Msus",
        """
COMMIT 0
ENTER 15PZ
STEP TRENTA 2
STEP 21PZ 1
MOVE 15PZ TO Msus LEADER
MOVE BRESCIA TO Benghazi BY ROAD
DONE TURN
END""",
        ("Malta:", "arrives", "moves", "gains"),
    ),
    Session(
        "allied",
        "the armor is rebuilt in Alexandria",
        """
REBUILD 2ARM
STEP 2ARM 1
STEP 22GDS 1
MOVE 2ARM TO 3608 BY ROAD
DONE TURN
END""",
        ("rebuilt", "gains", "moves", "weather is"),
    ),
)
