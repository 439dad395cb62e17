"""Race for Tunis's counter mix, set-ups and arrivals, as the rulebook lists them and within what it says of what it does not print."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from fractions import Fraction

import pytest

from scenarios.data import Card, GameData, ScenarioData
from scenarios.hexes import neighbours, parse_hex
from scenarios.loader import load_game
from services.mail.orders.vocabulary import read_vocabulary

SUPPORT = {"artillery", "antitank", "engineer", "flak"}
HEAVY = {"armor", "tank-company", "tiger-company", "assault-gun", "artillery", "antitank", "flak"}
AIR = {"fighter", "bomber"}
LISTED_INITIAL = {
    "1022": "6RWK",
    "1320": "1-PARA",
    "0919": "4MZT-II",
    "1215": "4MZT-I",
    "1410": "43C-I",
    "1613": "43C-II",
    "2305": "43C-III",
    "2321": "4MZT-III",
    "0216": "1-190PZ 11P-ENG",
    "0714": "T1 136AT",
    "1013": "5-III",
    "0711": "92-III 101AT 557AG",
}
LISTED_ARRIVALS = {
    ("18 Nov", "allied"): "17-21L 5NTH",
    ("20 Nov", "allied"): "2LF 15S-I 15S-II",
    ("21 Nov", "allied"): "1ES 78FA 6CDO",
    ("24 Nov", "allied"): "5BF 8ASH 1-1A-I",
    ("18 Nov", "axis"): "5-I 54-I",
    ("19 Nov", "axis"): "1-190AC 2-190AC 92-I 92-II SUP-AT SUP-ART",
    ("20 Nov", "axis"): "10B-16 10B-34 10B-63",
    ("21 Nov", "axis"): "BRN-I BRN-II",
    ("22 Nov", "axis"): "54-II",
    ("23 Nov", "axis"): "2-190PZ T2",
    ("24 Nov", "axis"): "T3",
}
"""The early start as the rulebook has it, whole (18.1.1 to 18.1.6)."""
STANDARD = {
    "1022": "6RWK 5BF 8ASH",
    "0923": "15S-I 15S-II",
    "0922": "6CDO",
    "1219": "17-21L 1-PARA 1-1A-I",
    "1317": "5NTH 2LF 1ES 78FA",
    "1416": "4MZT-I",
    "1718": "4MZT-II",
    "2321": "4MZT-III",
    "1816": "43C-I",
    "2114": "43C-II",
    "2113": "43C-III",
    "0216": "10B-16 10B-34 10B-63",
    "0818": "11P-ENG",
    "0617": "BRN-I BRN-II 136AT 557AG",
    "0716": "92-III 101AT",
    "1013": "2-190AC",
    "0814": "T1",
    "0813": "1-190PZ 2-190PZ 54-I T2",
    "0914": "1-190AC",
    "1115": "5-I",
    "1215": "5-III",
    "0711": "54-II T3 92-I SUP-ART",
    "1410": "92-II SUP-AT",
}
ARRIVALS = {
    "25 Nov": "56REC 64AT 701TD",
    "26 Nov": "4CA 1-501 BRN-III SM",
    "27 Nov": "1DY 13-1A-II 10KS 91-I",
    "28 Nov": "62AF A18",
    "29 Nov": "2-PARA 1CDO 2HP 27FA 7-10-I 91-II",
    "30 Nov": "6-1A-I 7MR-I 69-10-I A20",
    "1 Dec": "13-1A-I 6-1A-II 69-10-II II-90 91-III",
    "2 Dec": "7-10-II A24",
    "3 Dec": "3-PARA 7MR-II 86-10-I IT-MC",
    "4 Dec": "16-5L 12RHA 49ENG 90AT T4 RVT",
    "5 Dec": "20FLAK BS G-ENG",
    "6 Dec": "5FA 7MR-III 67AF 86-10-II C-ART",
    "7 Dec": "3GG",
    "8 Dec": "2CG 32FA 18-1-I 18-1-II 18-1-III T5",
    "9 Dec": "LG 3FL 47-I",
    "10 Dec": "LBH 10RB 601TD",
    "11 Dec": "AGRA-1 AGRA-2 47-II",
}
LATER = {
    "14 Dec": "6RIF 2LIR 1RIRF 47-III",
    "20 Dec": "754-I",
    "21 Dec": "754-II",
    "22 Dec": "754-III 755-I",
    "23 Dec": "755-II",
    "24 Dec": "755-III",
}
FORMED = {"190PZ", "190AC", *(f"{k}-7-10" for k in (1, 2, 3, 5, 6, 7))}
"""Counters that come into play only when companies rejoin or a battalion breaks down."""


@pytest.fixture(scope="module")
def game() -> GameData:
    return load_game(None, "race-for-tunis")


def placed(scenario: ScenarioData) -> dict[str, set[str]]:
    """Hex -> the units that are set up there."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in scenario.tables["setup"]:
        found[row["hex"]] |= set(row["units"])
    return dict(found)


def arriving(scenario: ScenarioData) -> dict[str, set[str]]:
    """Game-turn -> the units that arrive."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in scenario.tables["arrivals"]:
        found[row["turn"]] |= set(row["units"])
    return dict(found)


def split(rows: dict[str, str]) -> dict[str, set[str]]:
    return {key: set(units.split()) for key, units in rows.items()}


def ground_units(game: GameData) -> list[Card]:
    return [card for card in game.cards.values() if card.kind not in AIR]


# -- the counter mix ---------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "14.0.A-1")
def test_five_nations_and_two_sides(game: GameData) -> None:
    assert Counter(card.nation for card in ground_units(game)) == {"british": 34, "american": 13, "french": 16, "german": 53, "italian": 23}
    allied = {"british", "american", "french"}
    assert all((card.side == "allied") == (card.nation in allied) for card in game.cards.values())
    assert Counter(card.side for card in game.cards.values() if card.kind in AIR) == {"allied": 5, "axis": 4}


def test_what_a_type_makes_of_a_unit(game: GameData) -> None:
    for card in ground_units(game):
        values = card.values
        assert values["class"] == ("support" if card.kind in SUPPORT else "maneuver"), card.id
        assert values["heavy"] == (card.kind in HEAVY), card.id
        assert values["size"] == ("company" if card.kind.endswith("-company") else "battalion"), card.id
        assert ("range" in values) == (card.kind == "artillery"), card.id
        assert 1 <= values["attack"] <= values.get("defence", values["attack"]) <= 9, card.id
    mountaineers = [card for card in ground_units(game) if card.values["mountaineer"]]
    assert Counter((card.nation, card.kind) for card in mountaineers) == {("british", "commando"): 2, ("german", "mountain"): 3}
    assert {card.nation for card in ground_units(game) if card.values["size"] == "company"} == {"german"}
    types = {card.kind.removeprefix("tank-").removeprefix("tiger-").removeprefix("armored-car-") for card in ground_units(game)}
    assert len(types - {"company"}) == 15  # 2.2.4-1


def test_printed_values(game: GameData) -> None:
    told = {
        "2-6": "6RWK 5BF 8ASH 5NTH 2LF 1ES 1-PARA",
        "6-4": "78FA",
        "4-6": "17-21L",
        "3-9": "1-1A-I",
        "2-3": "4MZT-I 4MZT-II 4MZT-III 43C-I 43C-II 43C-III 15S-I 15S-II T1 T2 T3",
        "4-8": "1-190PZ 2-190PZ",
        "4-4": "11P-ENG 5-I BRN-I BRN-II SUP-ART",
        "3-6-4": "54-I",
        "3-6": "54-II",
        "2-9": "1-190AC 2-190AC",
        "1-2-3": "92-I 92-II 92-III",
        "1-2-4": "101AT 136AT SUP-AT",
        "2-4": "557AG",
        "2-5": "10B-16 10B-34 10B-63",
    }
    for values, units in told.items():
        for unit in units.split():
            card = game.cards[unit].values
            assert [card[key] for key in ("attack", "defence", "ma") if key in card] == [int(x) for x in values.split("-")], unit
    listed = {unit for row in (*LISTED_INITIAL.values(), *LISTED_ARRIVALS.values()) for unit in row.split()}
    assert listed - {unit for row in told.values() for unit in row.split()} == {"5-III", "6CDO"}  # listed without values


def test_air_units_have_the_values_and_bases_that_are_printed(game: GameData) -> None:
    air = {card.id: card.values for card in game.cards.values() if card.kind in AIR}
    assert air["JU87"]["support"] == 2
    assert {unit for unit, values in air.items() if values["intercept"] > 1} == {"FW190"}
    assert air["FW190"]["intercept"] == 2
    bases = Counter(values["base"] for values in air.values())
    assert (bases["bone"], bases["tebessa-off"], bases["tebessa"], bases["thelepte"], bases["kairouan"]) == (2, 1, 1, 1, 1)
    assert bases.keys() <= game.charts["bases"].keys()


def test_companies_add_up_to_their_battalion(game: GameData) -> None:
    rows = {row["battalion"]: row["companies"] for row in game.charts["companies"]}
    assert rows.keys() == {card.id for card in ground_units(game) if card.nation == "german" and card.kind in ("armor", "recon")}
    for battalion, companies in rows.items():
        whole, parts = game.cards[battalion].values, [game.cards[company].values for company in companies]
        assert sum(part["attack"] for part in parts) == whole["attack"]
        assert {(part["ma"], part["parent"], part["size"]) for part in parts} == {(whole["ma"], whole["parent"], "company")}
    assert {unit for companies in rows.values() for unit in companies} | {"1-501"} == {
        card.id for card in ground_units(game) if card.values["size"] == "company"
    }


def test_names_of_units_and_places_are_told_apart_in_orders(game: GameData) -> None:
    told = {card.id: {"side": card.side, "name": card.name, "aliases": card.aliases} for card in game.cards.values()}
    for side in game.sides:
        words = read_vocabulary({"units": told, "places": {name: str(at) for name, at in game.board.names.items()}, "side": side})
        assert {name: ids for name, ids in words.by_key.items() if len(ids) > 1} == {}
        assert not words.by_key.keys() & words.places.keys()
    assert not set(game.cards) & {str(at) for at in game.board.terrain}


# -- set-ups and arrivals ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("race-for-tunis", "18.1.1-1", "18.1.2-1", "18.1.3-1", "18.1.4-1", "18.1.B-2")
def test_early_start_as_listed(game: GameData) -> None:
    assert placed(game.scenarios["early-start"]) == split(LISTED_INITIAL)
    clauses = {"british": "18.1.1-1", "french": "18.1.2-1", "german": "18.1.3-1", "italian": "18.1.4-1"}
    for row in game.scenarios["early-start"].tables["setup"]:
        assert {clauses[game.cards[unit].nation] for unit in row["units"]} == {row["clause"]}
    # what stands on the map on 25 November is what the lists sort
    listed = {unit for row in (*LISTED_INITIAL.values(), *LISTED_ARRIVALS.values()) for unit in row.split()}
    assert set().union(*placed(game.scenarios["standard"]).values()) == listed
    assert len(listed) == 44


@pytest.mark.parametrize(
    ("turn", "side", "clause"),
    [
        pytest.param("18 Nov", "allied", "18.1.5-1", marks=pytest.mark.rule("race-for-tunis", "18.1.5-1")),
        pytest.param("20 Nov", "allied", "18.1.5-2", marks=pytest.mark.rule("race-for-tunis", "18.1.5-2")),
        pytest.param("21 Nov", "allied", "18.1.5-3", marks=pytest.mark.rule("race-for-tunis", "18.1.5-3")),
        pytest.param("24 Nov", "allied", "18.1.5-4", marks=pytest.mark.rule("race-for-tunis", "18.1.5-4")),
        pytest.param("18 Nov", "axis", "18.1.6-1", marks=pytest.mark.rule("race-for-tunis", "18.1.6-1")),
        pytest.param("19 Nov", "axis", "18.1.6-2", marks=pytest.mark.rule("race-for-tunis", "18.1.6-2")),
        pytest.param("20 Nov", "axis", "18.1.6-3", marks=pytest.mark.rule("race-for-tunis", "18.1.6-3")),
        pytest.param("21 Nov", "axis", "18.1.6-4", marks=pytest.mark.rule("race-for-tunis", "18.1.6-4")),
        pytest.param("22 Nov", "axis", "18.1.6-4", marks=pytest.mark.rule("race-for-tunis", "18.1.6-4")),
        pytest.param("23 Nov", "axis", "18.1.6-5", marks=pytest.mark.rule("race-for-tunis", "18.1.6-5")),
        pytest.param("24 Nov", "axis", "18.1.6-5", marks=pytest.mark.rule("race-for-tunis", "18.1.6-5")),
    ],
)
def test_early_start_arrivals_as_listed(game: GameData, turn: str, side: str, clause: str) -> None:
    rows = [row for row in game.scenarios["early-start"].tables["arrivals"] if (row["turn"], row["side"]) == (turn, side)]
    assert {unit for row in rows for unit in row["units"]} == set(LISTED_ARRIVALS[turn, side].split())
    assert {row["clause"] for row in rows} == {clause}


@pytest.mark.rule("race-for-tunis", "14.0.A-3", "14.0.B", "14.0.C")
def test_standard_set_up_and_arrivals(game: GameData) -> None:
    scenario = game.scenarios["standard"]
    assert placed(scenario) == split(STANDARD)
    assert arriving(scenario) == split(ARRIVALS)
    assert (game.turns[scenario.first_turn - 1], game.turns[scenario.last_turn - 1]) == ("25 Nov", "11 Dec")
    early = game.scenarios["early-start"]
    before = {turn for turn, _ in LISTED_ARRIVALS}
    assert {turn: units for turn, units in arriving(early).items() if turn not in before} == split(ARRIVALS)


@pytest.mark.rule("race-for-tunis", "14.0.G", "18.2-4")
def test_later_units_are_those_of_extended_play(game: GameData) -> None:
    extended = game.scenarios["extended"]
    assert placed(extended) == split(STANDARD)
    assert arriving(extended) == split(ARRIVALS) | split(LATER)
    assert not set().union(*split(LATER).values()) & set().union(*arriving(game.scenarios["standard"]).values())
    assert game.turns[extended.last_turn - 1] == "24 Dec"


@pytest.mark.rule("race-for-tunis", "2.2.7-0", "2.2.7.A-1", "2.2.7.A-2", "2.2.7.A-3")
def test_errata_of_bersaglieri_and_senegalese(game: GameData) -> None:
    both = {"10B-16", "10B-34", "10B-63", "15S-I", "15S-II"}
    standard, early = game.scenarios["standard"], game.scenarios["early-start"]
    assert placed(standard)["0216"] == {"10B-16", "10B-34", "10B-63"}
    assert placed(standard)["0923"] == {"15S-I", "15S-II"}
    assert {turn for turn, units in arriving(early).items() if units & both} == {"20 Nov"}
    assert not both & set().union(*arriving(standard).values())


@pytest.mark.rule("race-for-tunis", "2.2.7.B-1", "2.2.7.B-2", "2.2.7.C-1")
def test_errata_of_the_panzer_artillery_and_of_lodi(game: GameData) -> None:
    for key in ("standard", "extended", "early-start"):
        assert [turn for turn, units in arriving(game.scenarios[key]).items() if "II-90" in units] == ["1 Dec"]
    assert "II-90" in placed(game.scenarios["eilbote"])["0913"]
    for scenario in game.scenarios.values():
        assert "I-LODI" not in set().union(*placed(scenario).values(), *arriving(scenario).values())


@pytest.mark.rule("race-for-tunis", "18.3.A-1", "18.3.A-2", "14.0.A-4")
def test_eilbote(game: GameData) -> None:
    scenario = game.scenarios["eilbote"]
    assert game.turns[scenario.first_turn - 1 : scenario.last_turn] == tuple(f"{day} Jan" for day in range(18, 25))
    assert arriving(scenario) == split({"20 Jan": "13-1A-II 6-1A-II 27FA", "21 Jan": "701TD 601TD", "22 Jan": "6LNC KOYLI YL"})
    entries = {game.cards[unit].nation: row["entry"] for row in scenario.tables["arrivals"] for unit in row["units"]}
    assert entries == {"american": "south", "british": "west"}
    at = {unit: hex_ for hex_, units in placed(scenario).items() for unit in units}
    assert len(at) == 119
    assert at.keys() & {"1-1A-I", "13-1A-I", "6-1A-I", "190PZ", "190AC"} == set()
    # 6th Armoured Division at Bou Arada, the French on their djebels, mountain troops and Tigers by Pont du Fahs, Longstop Hill German
    assert {unit for unit in at if at[unit] == "1613"} == {"17-21L", "16-5L", "10RB"}
    assert [game.cards[unit].nation for hex_ in ("1813", "1810", "2208", "2109", "2011") for unit in placed(scenario)[hex_]] == [
        "french"
    ] * 6
    assert at["1-501"] == "1410"
    assert at["5-I"] == "1116"


@pytest.mark.rule("race-for-tunis", "14.0.A-2", "14.0.A-6")
def test_every_unit_comes_in_once_or_not_at_all(game: GameData) -> None:
    unused = {
        "standard": FORMED | {"I-LODI", "CNT-I", "CNT-B", "334ART", "6RIF", "2LIR", "1RIRF", "47-III"},
        "eilbote": FORMED | {"I-LODI", "1-1A-I", "13-1A-I", "6-1A-I"},
    }
    unused["standard"] |= {
        "6LNC",
        "KOYLI",
        "YL",
        "2-5LC",
        "5SF",
        "16DLI",
        *(f"{r}-{n}" for r in (754, 755, 756) for n in ("I", "II", "III")),
    }
    unused["early-start"] = unused["standard"]
    unused["extended"] = unused["standard"] - set().union(*split(LATER).values())
    for key, scenario in game.scenarios.items():
        units = [unit for units in (*placed(scenario).values(), *arriving(scenario).values()) for unit in units]
        assert Counter(units).most_common(1)[0][1] == 1
        assert {card.id for card in ground_units(game)} - set(units) == unused[key], key
        at_hand = {unit for side in game.sides for unit in scenario.tables["available"][side]}
        assert at_hand == {card.id for card in game.cards.values() if card.kind in AIR}


def load(cards: Iterable[Card]) -> Fraction:
    return sum((Fraction(1, 3) if card.values["size"] == "company" else Fraction(1) for card in cards), Fraction(0))


def test_set_ups_keep_stacking_and_heavy_equipment_off_bad_ground(game: GameData) -> None:
    for key, scenario in game.scenarios.items():
        side_of = {}
        for text, units in placed(scenario).items():
            at, cards = parse_hex(text), [game.cards[unit] for unit in units]
            assert load(cards) <= 4, (key, text)
            assert load(card for card in cards if card.values["class"] == "maneuver") <= 3, (key, text)
            assert len({card.side for card in cards}) == 1, (key, text)
            side_of[at] = cards[0].side
            bad = game.charts["terrain"][game.board.terrain[at]]["heavy"] == "bar"
            assert not (bad and any(card.values["heavy"] for card in cards)), (key, text)
            assert {card.kind for card in cards} != {"artillery"}, (key, text)
        touching = {(str(a), str(b)) for a in side_of for b in neighbours(a) if side_of[a] == "allied" and side_of.get(b) == "axis"}
        assert touching == ({("1215", "1116"), ("1216", "1116")} if key == "eilbote" else set()), key


def test_who_holds_what_at_the_start(game: GameData) -> None:
    for scenario in game.scenarios.values():
        control = scenario.tables["control"]
        for text, units in placed(scenario).items():
            for side in game.sides:
                assert text not in control[side] or {game.cards[unit].side for unit in units} == {side}, (scenario.key, text)
    points = {
        key: sum(row["vp"] for row in game.charts["objectives"].values() if row["hex"] in scenario.tables["control"]["axis"])
        for key, scenario in game.scenarios.items()
    }
    # at the end of the history, on 11 December, the Axis had 17: Medjez el Bab was lost on the 26th
    assert points == {"standard": 18, "extended": 18, "early-start": 7, "eilbote": 17}
