"""The Fall of Tobruk's counter mix, set-up and arrivals, as the rulebook lists them and within what it says of what it does not print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import ceil

import pytest

from scenarios.data import Card, GameData
from scenarios.hexes import Hex, neighbours, parse_hex
from scenarios.loader import load_game
from services.mail.orders.vocabulary import read_vocabulary

ARRIVALS = {
    ("1 June", "allied", "east"): "2HLI 2-4GR 4-10BAL 28ART",
    ("3 June", "allied", "east"): "1RT-1 1RT-2 1RT-3 6RT-1 6RT-2 6RT-3",
    ("6 June", "allied", "tobruk-or-east"): "2CAM 2-5MAH 2-7GR 25ART",
    ("8 June", "allied", "east"): "1SWB 3-18GAR 2-3GR 97ART",
    ("20 June", "axis", "axis-edge"): "133-1 133-2 133-3 12B 12ART",
}
ANYWHERE = {"allied": "7MTR 67MTR 68MTR RPS DM KDG 12L 1SP", "axis": "88-1 88-2 88-3 288 605 7B XI-1 XI-2 XI-3 132ENG"}


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "fall-of-tobruk")


def values(game: GameData, unit: str) -> str:
    """As the chart prints them: antitank-combat-movement, of guns with factor and range."""
    found = game.cards[unit].values
    gun = f" [{found['artillery']}, {found['range']}]" if "artillery" in found else ""
    return "-".join(str(found[key]) for key in ("at", "combat", "ma")) + gun


def at_start(game: GameData) -> dict[str, str]:
    return {unit: row["hex"] for row in game.scenarios["gazala"].tables["setup"] for unit in row["units"]}


def cards(game: GameData, *units: str) -> list[Card]:
    return [game.cards[unit] for unit in units]


def kind_row(game: GameData, kind: str) -> dict[str, object]:
    return next(row for row in game.charts["types"] if row["type"] == kind)


# -- what the order of battle prints -----------------------------------------------------------------------------------------------


@pytest.mark.rule("fall-of-tobruk", "oob.1", "oob.2", "oob.3", "oob.4", "setup.14")
def test_the_allied_order_of_battle_as_printed(game: GameData) -> None:
    at = at_start(game)
    assert {unit: (at[unit], values(game, unit)) for unit in ("5EY", "6GH", "7GH")} == dict.fromkeys(
        ("5EY", "6GH", "7GH"), ("0909", "1-5-5")
    )
    assert (at["74ART"], values(game, "74ART")[:5]) == ("0909", "6-1-6")
    # 4 EY is detached: it stands in the hex beside it, its formation in 1113
    assert (at["4EY"], values(game, "4EY"), at["4GH"]) == ("1114", "1-5-5", "1113")
    assert game.cards["4EY"].values["formation"] == game.cards["4GH"].values["formation"]
    assert {unit: (at[unit], values(game, unit)[:5]) for unit in ("2SG", "3CG", "9RB", "201ART", "1RB")} == {
        "2SG": ("1912", "2-6-6"),
        "3CG": ("1912", "2-6-6"),
        "9RB": ("1912", "2-5-6"),
        "201ART": ("1912", "6-1-6"),
        "1RB": ("2112", "2-5-6"),
    }


@pytest.mark.rule("fall-of-tobruk", "oob.5")
def test_doubtful_labels_are_told_as_doubtful(game: GameData) -> None:
    doubtful = {card.id for card in game.cards.values() if card.values["confidence"] == "doubtful"}
    assert doubtful == {"1TS", "1SAART", "4SA", "3-2PUN", "7MTR", "67MTR", "68MTR", "RPS", "DM", "288", "86", "12ART"}
    assert {card.values["confidence"] for card in game.cards.values()} == {"printed", "part", "doubtful", "ours"}


@pytest.mark.rule("fall-of-tobruk", "oob.6", "oob.7", "oob.8")
def test_the_german_order_of_battle_as_printed(game: GameData) -> None:
    at = at_start(game)
    panzers = [f"8PZ-{k}" for k in range(1, 9)]
    assert {at[unit] for unit in panzers} == {"1223"}
    assert Counter((game.cards[unit].kind, values(game, unit)) for unit in panzers) == {
        ("pz-ii", "1-3-7"): 1,
        ("pz-iiih", "3-4-7"): 5,
        ("pz-iiij", "5-4-7"): 1,
        ("pz-iv", "4-5-7"): 1,
    }
    assert (at["115"], values(game, "115"), game.cards["115"].values["size"]) == ("1123", "6-15-7", "regiment")
    german = Counter(values(game, card.id) for card in game.cards.values() if card.nation == "german")
    assert (german["1-5-7"], german["2-4-10"], german["12-2-7"]) == (3, 3, 3)


@pytest.mark.rule("fall-of-tobruk", "oob.9", "oob.10", "oob.11")
def test_the_italian_order_of_battle_as_printed(game: GameData) -> None:
    at = at_start(game)
    assert {unit: (at[unit], values(game, unit)) for unit in ("19", "20", "55ART-1", "55ART-2", "86")} == {
        "19": ("0511", "0-9-3"),
        "20": ("0610", "0-9-3"),
        "55ART-1": ("0611", "2-1-5 [6, 4]"),
        "55ART-2": ("0611", "2-1-5 [6, 4]"),
        "86": ("0405", "0-6-3"),
    }
    names = {card.values["parent"] for card in game.cards.values() if card.nation == "italian"}
    assert names == {"Brescia", "Sabrata", "Pavia", "Trento", "Ariete", "Trieste", "Littorio"}
    assert (game.cards["86"].values["label"], game.cards["86"].values["parent"]) == ("86", "Sabrata")


@pytest.mark.rule("fall-of-tobruk", "reinf.1", "reinf.3", "calendar.2", "calendar.3")
def test_arrivals(game: GameData) -> None:
    rows = {(row["turn"], row["side"], row["entry"]): " ".join(row["units"]) for row in game.scenarios["gazala"].tables["arrivals"]}
    assert rows == ARRIVALS
    assert [values(game, unit)[:5] for unit in ARRIVALS[("1 June", "allied", "east")].split()] == ["1-5-5", "1-5-5", "1-4-5", "6-1-6"]
    littorio = ARRIVALS[("20 June", "axis", "axis-edge")].split()
    assert [values(game, unit) for unit in littorio] == ["1-3-6", "1-3-6", "1-3-6", "3-12-6", "2-1-5 [6, 4]"]


@pytest.mark.rule("fall-of-tobruk", "setup.12", "setup.13")
def test_who_is_placed_anywhere(game: GameData) -> None:
    rows = game.scenarios["gazala"].tables["placements"]
    assert all(row["anywhere"] and "hexes" not in row for row in rows)
    found = {side: [unit for row in rows if row["side"] == side for unit in row["units"]] for side in game.sides}
    assert found == {side: units.split() for side, units in ANYWHERE.items()}
    nations = {row["clause"]: {game.cards[unit].nation for unit in row["units"]} for row in rows}
    assert (nations["setup.13"], nations["setup.12"]) == ({"german"}, {"italian"})


# -- the whole mix -----------------------------------------------------------------------------------------------------------------


def test_every_unit_comes_in_once_and_battalions_wait_beside_the_map(game: GameData) -> None:
    tables = game.scenarios["gazala"].tables
    units = [*at_start(game), *" ".join(ANYWHERE.values()).split(), *" ".join(ARRIVALS.values()).split(), *tables["available"]["axis"]]
    assert Counter(units).most_common(1)[0][1] == 1
    assert set(units) == set(game.cards)
    assert len(units) == 234
    battalions = {card.id for card in game.cards.values() if "regiment" in card.values}
    assert set(tables["available"]["axis"]) == battalions
    assert tables["available"]["allied"] == []


def test_regiments_with_battalions_are_worth_their_sum(game: GameData) -> None:
    """Only Panzergrenadiers and Bersaglieri have battalion counters; a regiment of three is three times its battalion."""
    parts: dict[str, list[Card]] = {}
    for card in game.cards.values():
        if "regiment" in card.values:
            parts.setdefault(card.values["regiment"], []).append(card)
    assert {name: len(found) for name, found in parts.items()} == {
        "115": 3,
        "104": 3,
        "155": 2,
        "361": 2,
        "7B": 3,
        "8B": 3,
        "9B": 2,
        "12B": 3,
    }
    for name, found in parts.items():
        whole = game.cards[name]
        assert whole.values["size"] == "regiment"
        assert {card.values["size"] for card in found} == {"battalion"}
        assert all(sum(card.values[key] for card in found) == whole.values[key] for key in ("at", "combat"))
        assert {card.values["ma"] for card in found} == {whole.values["ma"]}
        assert {card.values["formation"] for card in (*found, whole)} == {name}
        assert {card.kind for card in found} == {whole.kind} <= {"panzergrenadier", "bersaglieri"}
    regiments = {card.id for card in game.cards.values() if card.values["size"] == "regiment"}
    assert regiments - parts.keys() == {"19", "20", "27", "28", "61", "62", "65", "66", "85", "86"}


def test_sizes_types_nations_and_formations(game: GameData) -> None:
    tanks = {row["type"] for row in game.charts["types"] if row["class"] == "tank"}
    for card in game.cards.values():
        silhouette = card.kind in tanks | {"flak-88", "self-propelled-gun"}
        assert (card.values["size"] == "company") == silhouette, card.id
        assert ("artillery" in card.values) == ("range" in card.values) == (card.kind == "artillery"), card.id
        assert isinstance(card.values["formation"], str)
        formation = game.charts["formations"][card.values["formation"]]
        assert formation["side"] == card.side
        assert (formation["kind"] == "brigade") <= (card.side == "allied")
    assert {card.kind for card in game.cards.values()} == {row["type"] for row in game.charts["types"]}
    assert {card.nation for card in game.cards.values()} == {row["nation"] for row in game.charts["nations"]}
    assert {row["colour"] for row in game.charts["nations"]} == {"british", "commonwealth", "german", "italian"}
    assert {card.values["formation"] for card in game.cards.values()} == game.charts["formations"].keys()
    assert {card.values["range"] for card in game.cards.values() if "range" in card.values} <= {
        row["range"] for row in game.charts["ranges"]
    }


def test_what_types_may_do(game: GameData) -> None:
    rows = game.charts["types"]
    assert {row["class"] for row in rows if row["fires_moved"] == "yes"} == {"tank", "recon", "spg"}
    assert {row["type"] for row in rows if row["first_fire"] == "yes"} == {"self-propelled-gun", "flak-88"}
    assert {row["type"] for row in rows if row["place"] == "artillery"} == {"artillery", "self-propelled-gun", "flak-88"}
    assert {row["class"] for row in rows if row["exit"] == "tanks"} == {row["class"] for row in rows if row["refit"] == "tank"} == {"tank"}
    assert {row["class"] for row in rows if row["exit"] == "infantry"} == {"infantry"}
    assert {row["class"] for row in rows if row["refit"] == "infantry"} == {"infantry", "engineer", "recon"}


def test_tanks_are_as_many_as_the_battle_had(game: GameData) -> None:
    """Companies of about 20 German, 19 Italian and 16 British tanks; the quota of 18 is a third of the British ones."""
    at = at_start(game)
    begin = Counter(game.cards[unit].kind for unit in (*at, *" ".join(ANYWHERE.values()).split()))
    assert {kind: begin[kind] for kind in ("grant", "crusader", "stuart", "valentine", "matilda")} == {
        "grant": 12,
        "crusader": 12,
        "stuart": 3,
        "valentine": 9,
        "matilda": 6,
    }
    assert sum(begin[kind] for kind in ("pz-ii", "pz-iiih", "pz-iiij", "pz-iv")) == 16
    assert begin["m14"] == 12
    # a model with a reserve has tanks that can be lost
    assert {row["model"] for row in game.charts["reserve"]} <= begin.keys()


def test_the_quotas_can_be_met(game: GameData) -> None:
    own = [card for card in game.cards.values() if card.side == "allied"]
    count = Counter(kind_row(game, card.kind)["exit"] for card in own if card.values["size"] != "regiment")
    quotas = game.charts["costs"]["quotas"]
    assert all(count[name] >= 2 * quotas[name] for name in ("tanks", "infantry", "artillery"))


# -- the set-up against the rules --------------------------------------------------------------------------------------------------


def fits(game: GameData, found: Iterable[Card]) -> bool:
    """Form A or B of stacking, worked out apart from the law: a company rides free, a battalion of artillery has its place."""
    left = sorted(found, key=lambda card: (card.values["size"] != "company", kind_row(game, card.kind)["place"] != "artillery"))
    german = any(card.nation == "german" for card in left)
    guns = next((card for card in left if kind_row(game, card.kind)["place"] == "artillery" and card.values["size"] == "battalion"), None)
    left = [card for card in left if card is not guns]
    company = next((card for card in left if card.values["size"] == "company"), None)
    left = [card for card in left if card is not company]
    worth = {"company": Fraction(1, 4 if german else 3), "battalion": Fraction(1), "regiment": Fraction(3)}
    total = ceil(sum((worth[card.values["size"]] for card in left), Fraction(0)))
    return total <= (3 if german else 2) or len({card.values["formation"] for card in left}) == 1


def by_hex(game: GameData) -> dict[Hex, list[Card]]:
    found: dict[Hex, list[Card]] = {}
    for unit, at in at_start(game).items():
        found.setdefault(parse_hex(at), []).append(game.cards[unit])
    return found


@pytest.mark.rule("fall-of-tobruk", "setup.1", "setup.4")
def test_the_set_up_keeps_stacking_and_the_sides_apart(game: GameData) -> None:
    held = by_hex(game)
    sides = {at: {card.side for card in found} for at, found in held.items()}
    for at, found in held.items():
        assert fits(game, found), at
        assert len(sides[at]) == 1
        assert not any(sides.get(to, sides[at]) != sides[at] for to in neighbours(at)), at
    assert not fits(game, cards(game, "115", "104"))
    assert not fits(game, cards(game, "5EY", "6GH", "2SG"))
    boxes = {text for box in game.charts["boxes"].values() for text in box["hexes"]}
    assert boxes <= {str(at) for at in held}
    assert {side for at in boxes for side in sides[parse_hex(at)]} == {"allied"}
    assert sides[parse_hex("2803")] == {"allied"}
    assert game.scenarios["gazala"].tables["control"] == {"axis": [], "allied": ["2803"]}


def test_units_placed_anywhere_have_room(game: GameData) -> None:
    """Each side has hexes on its side of the line, away from enemies, and the Axis away from mines, for all of them."""
    held = by_hex(game)
    enemy = {side: {at for at, found in held.items() if found[0].side != side} for side in game.sides}
    first = {row["row"]: row["column"] for row in game.charts["line"]}
    free = {"axis": 0, "allied": 0}
    for at in game.board.terrain:
        side = "allied" if at.col >= first[at.row] else "axis"
        near = {at, *game.board.adjacent[at]}
        mined = any(game.board.hexside("minefield", at, to) for to in game.board.adjacent[at])
        free[side] += at not in held and not near & enemy[side] and not (side == "axis" and mined)
    assert free["axis"] > 100
    assert free["allied"] > 300


def test_names_of_units_and_places_are_told_apart_in_orders(game: GameData) -> None:
    told = {card.id: {"side": card.side, "name": card.name, "aliases": card.aliases} for card in game.cards.values()}
    for side in game.sides:
        words = read_vocabulary({"units": told, "places": {name: str(at) for name, at in game.board.names.items()}, "side": side})
        assert {name: ids for name, ids in words.by_key.items() if len(ids) > 1} == {}
        assert not words.by_key.keys() & words.places.keys()
    assert not set(game.cards) & {str(at) for at in game.board.terrain}
