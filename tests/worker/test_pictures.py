"""The pictures of a mail: which ones it brings, that they fit, and that none of them ever stops it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.worker.conftest import SECRET, Desk, reply_to
from tests.worker.fakes import ANN, BRUNO, ToyMail, ToyRender, body, orders_mail, picture
from worker.canonical import Json
from worker.play.games import UnusableInput, looks_of, new_game
from worker.ports import ServiceDown, ServiceFailed, ServiceRefused
from worker.post.deliver import deliver_next

KINDS = ("map", "front", "plan", "before-after", "animation")


def pictures(raw: bytes) -> dict[str, Json]:
    """What the pictures of a toy mail show, by kind."""
    lines = [line.partition(" ") for line in body(raw)]
    return {kind: json.loads(said) for kind, _, said in lines if kind in KINDS}


def write(desk: Desk, player: str, number: int, *lines: str) -> bytes:
    """A mail of orders and the answer to it."""
    desk.drop(orders_mail(reply_to(desk, player), player, f"<{number}@x>", *lines))
    desk.run()
    return desk.mails_to(player)[-1]


def setting(desk: Desk, **settings: object) -> None:
    """Other settings from now on."""
    desk.ports = replace(desk.ports, config=replace(desk.ports.config, **settings))


def drawing(desk: Desk, said: Callable[[str, Json], bytes]) -> None:
    """The render service sends these bytes."""

    class Drawing(ToyRender):
        def _draw(self, kind: str, body: Json) -> bytes:
            self.asked.append((kind, body))
            return said(kind, body)

    desk.render = Drawing()
    desk.ports = replace(desk.ports, render=desk.render)


def letters(desk: Desk) -> list[Json]:
    """What the mails will be composed of from now on."""
    sent: list[Json] = []

    class Kept(ToyMail):
        def compose(self, body: Json) -> Json:
            sent.append(body)
            return super().compose(body)

    desk.ports = replace(desk.ports, mail=Kept())
    return sent


def padded(size: int) -> bytes:
    """A picture of that many bytes."""
    empty = len(picture(""))
    return picture("x" * (size - empty))


# Which ones


def test_a_report_brings_map_and_front_and_where_the_board_changed_before_and_after(desk: Desk) -> None:
    desk.start()
    assert list(pictures(desk.mails_to(ANN)[0])) == ["map", "front"]
    moved = [["axis", "MOVE", "A"]]
    found = pictures(write(desk, ANN, 1, "MOVE A"))
    assert found == {
        "map": {"shows": moved},
        "front": {"shows": moved, "crop": "front"},
        "before-after": {"shows": moved, "before": []},
    }
    ended = write(desk, ANN, 2, "DONE")
    assert list(pictures(ended)) == ["map", "front"]
    assert pictures(desk.mails_to(BRUNO)[-1])["before-after"]["before"] == []  # he was told nothing since the start


def test_an_animation_comes_where_the_settings_say_so(desk: Desk) -> None:
    setting(desk, animation="gif")
    desk.start()
    assert "animation" not in pictures(desk.mails_to(ANN)[0])  # nothing has happened yet
    found = pictures(write(desk, ANN, 1, "MOVE A"))
    assert list(found)[-1] == "animation"
    (asked,) = (one for kind, one in desk.render.asked if kind == "animate")
    assert (asked["format"], asked["limit"] < 900_000) == ("gif", True)


def test_what_is_tried_drafted_or_kept_for_later_is_shown_as_planned(desk: Desk) -> None:
    desk.start()
    plans = [
        pictures(write(desk, ANN, number, *lines))
        for number, lines in enumerate(
            [
                ("CHECK", "MOVE A"),
                ("CHECK", "MOVE A", "ROLL", "MOVE B"),
                ("HOLD", "MOVE C"),
                ("MOVE D", "LATER E"),
                ("CHECK", "ROLL"),
                ("CHECK", "MOVE A", "ILLEGAL"),
            ]
        )
    ]
    assert [list(one) for one in plans] == [["plan"], ["plan"], ["plan"], ["map", "front", "plan", "before-after"], [], []]
    assert [plans[n]["plan"] for n in range(4)] == [
        {"shows": [], "events": ["A"], "orders": []},
        {"shows": [], "events": ["A", ""], "orders": ["", "B"]},
        {"shows": [], "events": ["C"], "orders": []},
        {"shows": [["axis", "MOVE", "D"]], "events": [], "orders": ["E"]},
    ]


def test_names_of_the_files_tell_game_turn_side_and_what_they_show(desk: Desk) -> None:
    desk.start()
    sent = letters(desk)
    write(desk, ANN, 1, "MOVE A")
    assert [(one["name"], one["mime"]) for one in sent[0]["pictures"]] == [
        ("G1-t01-axis-map.png", "image/png"),
        ("G1-t01-axis-front.png", "image/png"),
        ("G1-t01-axis-before-after.png", "image/png"),
    ]


# Queues


def test_no_planned_moves_are_drawn_while_mails_of_the_game_wait(desk: Desk) -> None:
    desk.start()
    address = reply_to(desk, ANN)
    for number, line in enumerate(("MOVE A", "MOVE B", "MOVE C"), start=1):
        desk.drop(orders_mail(address, ANN, f"<{number}@ann>", "CHECK", line))
    desk.run()
    answers = desk.mails_to(ANN)[1:]
    assert [list(pictures(one)) for one in answers] == [[], [], ["plan"]]  # a newer answer waited behind the first two
    assert [body(one)[2] for one in answers] == ["move A", "move B", "move C"]


@pytest.mark.parametrize(("game", "others", "drawn"), [("G1", 1, False), ("G2", 19, True), ("G2", 20, False)])
def test_no_planned_moves_are_drawn_while_mails_are_not_handled_yet(desk: Desk, game: str, others: int, drawn: bool) -> None:
    desk.start()
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "CHECK", "MOVE A"))
    desk.take_in()
    desk.woken.clear()
    desk.run_drain("G1")
    for number in range(others):
        desk.ports.journal.add_message(f"later/{number}", b"", "2026-03-27T20:14:09+00:00", game)
    assert deliver_next(desk.ports, desk.outbox, "G1")
    assert list(pictures(desk.mails_to(ANN)[-1])) == (["plan"] if drawn else [])


# Room


def test_what_matters_most_has_room_first_and_the_animation_is_the_first_to_go(desk: Desk) -> None:
    sizes = {"map": 500, "front": 300, "before-after": 200, "animation": 150}

    def sized(kind: str, asked: Json) -> bytes:
        named = {"compare": "before-after", "animate": "animation"}.get(kind, "front" if "crop" in asked else "map")
        return padded(sizes[named])

    drawing(desk, sized)
    desk.start()
    setting(desk, animation="gif")
    for number, (budget, kinds) in enumerate(
        [
            (1150, ["map", "front", "before-after", "animation"]),
            (1149, ["map", "front", "before-after"]),
            (999, ["map", "front", "animation"]),
            (799, ["map", "before-after"]),
            (500, ["map"]),
        ]
    ):
        setting(desk, pictures=budget)
        sent = letters(desk)
        write(desk, ANN, number, f"MOVE {number}")
        assert [one["kind"] for one in sent[0]["pictures"]] == kinds, budget
    assert desk.render.asked[-1][1]["limit"] == 1


def test_a_map_that_has_no_room_is_drawn_smaller_and_one_that_never_fits_is_left_out_with_a_word(desk: Desk) -> None:
    drawing(desk, lambda kind, asked: padded(asked["scale"]))
    setting(desk, pictures=1500, scale=2400)
    desk.start()
    assert [asked["scale"] for _, asked in desk.render.asked][:3] == [2400, 1800, 1350]  # and 1350 bytes have room
    assert "note no_map" not in body(desk.mails_to(ANN)[0])
    setting(desk, pictures=399)
    answer = write(desk, ANN, 1, "MOVE A")
    assert "note no_map" in body(answer)


# A render service that is away, fails, or sends rubbish


@pytest.mark.parametrize(("call", "kind"), [("compare", "before-after"), ("animate", "animation")])
@pytest.mark.parametrize("fault", [ServiceFailed("no colour"), ServiceRefused({"detail": "no colour"}), ServiceDown("away")])
def test_a_picture_that_cannot_be_drawn_is_left_out_and_the_others_stay(desk: Desk, call: str, kind: str, fault: Exception) -> None:
    setting(desk, animation="webp", attempts=2)
    desk.start()
    desk.render.faults[call] = fault
    desk.drop(orders_mail(reply_to(desk, ANN), ANN, "<1@ann>", "MOVE A"))
    for _ in range(20):
        desk.sweep_quietly()
    found = pictures(desk.mails_to(ANN)[-1])
    assert kind not in found
    assert {"map", "front"} <= set(found)
    assert "note no_map" not in body(desk.mails_to(ANN)[-1])
    assert desk.outbox.games() == []


def test_what_is_no_picture_is_not_sent(desk: Desk) -> None:
    drawing(desk, lambda kind, asked: b"\x89PNG\r\n\x1a\n but no more")
    game = new_game(desk.ports, "toy/one", {"axis": [ANN], "allied": [BRUNO]}, {}, SECRET)
    desk.wake_post(game.id)
    for _ in range(desk.ports.config.attempts * 2):
        desk.sweep_quietly()
    for player in (ANN, BRUNO):
        (mail,) = desk.mails_to(player)
        assert body(mail) == ["start", "None", "note no_map", ""]


# Themes


def test_pictures_have_the_theme_of_the_settings_of_the_game_or_of_the_side(desk: Desk) -> None:
    setting(desk, theme="dark")
    players = {"axis": [ANN], "allied": [BRUNO]}
    for themes, expected in (
        (None, ["dark", "dark"]),
        ({"": "light"}, ["light", "light"]),
        ({"axis": "contrast"}, ["contrast", "dark"]),
        ({"": "light", "allied": "contrast"}, ["light", "contrast"]),
    ):
        desk.render.asked.clear()
        game = new_game(desk.ports, "toy/one", players, {}, SECRET, themes)
        desk.wake_post(game.id)
        desk.run()
        assert [asked["theme"] for _, asked in desk.render.asked if "crop" not in asked] == expected
    for wrong, said in (({"axis": "pink"}, "light, dark, contrast"), ({"french": "dark"}, "axis, allied")):
        with pytest.raises(UnusableInput, match=said):
            new_game(desk.ports, "toy/one", players, {}, SECRET, wrong)


# Fog


def test_pictures_are_drawn_from_the_addressees_own_views_alone(desk: Desk) -> None:
    desk.start()
    for number, lines in enumerate([("SECRET S",), ("MOVE A",), ("CHECK", "MOVE B", "SECRET T"), ("DONE",)]):
        write(desk, ANN, number, *lines)
    for kind, asked in desk.render.asked:
        for view in (asked["view"], asked.get("before", asked["view"])):
            secrets = [did for did in view["did"] if did[1] == "SECRET"]
            assert view["side"] == "axis" or secrets == [], kind
    assert {asked["view"]["side"] for _, asked in desk.render.asked} == {"axis", "allied"}


def test_the_look_of_a_running_game_is_changed_for_one_side_or_for_all(desk: Desk) -> None:
    key = desk.start()
    for asked, expected in (({"allied": "dark"}, [None, "dark"]), ({"": "contrast", "axis": "dark"}, ["dark", "contrast"])):
        desk.ports.journal.set_themes(key, looks_of(asked, ["axis", "allied"]))
        assert [desk.ports.journal.theme(key, side) for side in ("axis", "allied")] == expected
    write(desk, ANN, 1, "MOVE A")
    assert {asked["theme"] for _, asked in desk.render.asked[-2:]} == {"dark"}
