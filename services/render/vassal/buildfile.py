"""``buildFile.xml``: the module's windows, board, palettes and buttons."""

from __future__ import annotations

from collections.abc import Iterable

from services.render.vassal.codec import VASSAL, Stamp, escape, plain, seq, tag
from services.render.vassal.grid import hex_grid, numbering_of, outline
from services.render.vassal.ground import turn_name
from services.render.vassal.kit import SIGNS, Kit, palettes
from services.render.vassal.looks import DiceLook, vassal_style
from services.render.vassal.pieces import CLEAR, COUNTERS, GROUND, MAP, definition

HELP = "help.html"


def build_file(kit: Kit, stamp: Stamp, charts: Iterable[tuple[str, str]]) -> str:
    """The whole file. ``charts``: title and picture of each."""
    data = kit.data
    about = {
        "name": stamp.name,
        "version": stamp.version,
        "description": plain(f"{data.title}, for play by mail"),
        "VassalVersion": VASSAL,
        "nextPieceSlotId": len(kit.pieces) + 2,
    }
    inside = [
        tag("M.BasicCommandEncoder"),
        tag(
            "M.Documentation",
            {},
            tag("M.documentation.HelpFile", {"title": "How to use this module", "fileName": HELP, "fileType": "archive"}),
        ),
        tag("M.PlayerRoster", {"buttonText": "Sides", "buttonToolTip": "Choose or give up a side"}, *_sides(kit)),
        tag("M.GlobalOptions", _OPTIONS),
        tag("M.properties.GlobalProperties"),
        tag("M.PrototypesContainer", {}, *_prototypes(kit)),
        tag("M.Chatter"),
        tag("M.KeyNamer"),
        _turns(kit),
        _palette(kit),
        _chart_window(charts),
        *(_dice(one) for one in vassal_style(data.key).dice),
        tag("M.NotesWindow", {"buttonText": "Notes", "tooltip": "Notes on the game"}),
        *_setups(kit),
        _map(kit),
    ]
    return '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + tag("VASSAL.build.GameModule", about, *inside) + "\n"


_OPTIONS = {
    "autoReport": "Always",
    "nonOwnerUnmaskable": "Never",
    "chatterHTMLSupport": "Never",
    "playerIdFormat": "$PlayerName$",
    "promptString": "Opponents may unmask my pieces",
    "storeLeadingZeroIntegersAsStrings": True,
    "inventoryForAll": "Always",
    "hotKeysOnClosedWindows": "Never",
}


def _sides(kit: Kit) -> list[str]:
    return [f"<entry>{escape(plain(kit.data.side_names.get(side, side)))}</entry>" for side in kit.data.sides]


def _prototypes(kit: Kit) -> list[str]:
    return [
        tag("M.PrototypeDefinition", {"name": name, "description": ""}, escape(definition(traits, "", "", "")))
        for name, traits in kit.prototypes.items()
    ]


def _slot(kit: Kit, key: str) -> str:
    piece = kit.pieces[key]
    size = {"entryName": piece.name, "gpid": piece.gpid, "width": piece.size[0], "height": piece.size[1]}
    return tag("W.PieceSlot", size, escape(definition(piece.traits, piece.image, piece.name, piece.gpid)))


def _palette(kit: Kit) -> str:
    tabs = []
    for name, groups in palettes(kit):
        lists = [
            tag(
                "W.ListWidget",
                {"entryName": plain(group), "width": 300, "height": 500, "divider": 180, "scale": "1.0"},
                *(_slot(kit, key) for key in keys),
            )
            for group, keys in groups
        ]
        tabs.append(tag("W.TabWidget" if len(lists) > 1 else "W.BoxWidget", {"entryName": plain(name)}, *lists))
    about = {
        "name": "Counters",
        "text": "Counters",
        "tooltip": "All counters and markers",
        "hidden": False,
        "scale": "1.0",
        "defaultWidth": 480,
        "hotkey": "67,520",
    }
    return tag("M.PieceWindow", about, tag("W.TabWidget", {"entryName": "Counters"}, *tabs))


def _chart_window(charts: Iterable[tuple[str, str]]) -> str:
    tabs = [tag("W.Chart", {"chartName": plain(title), "fileName": file, "description": ""}) for title, file in charts]
    about = {"name": "Charts", "text": "Charts", "tooltip": "Charts and tables", "hotkey": "72,520"}
    return tag("M.ChartWindow", about, tag("W.TabWidget", {"entryName": "Charts"}, *tabs))


def _turns(kit: Kit) -> str:
    stages = [plain(stage.name) for stage in kit.stages]
    inner = {"name": "Phase", "property": "Phase", "turnFormat": "$value$", "list": seq(",", *stages)}
    outer = {
        "name": "Game-turn",
        "property": "Turn",
        "turnFormat": "$value$",
        "list": seq(",", *(plain(turn_name(label)) for label in kit.data.turns)),
    }
    about = {
        "name": "Turn",
        "buttonText": "Turn",
        "tooltip": "The turn record",
        "hotkey": "84,520",
        "nexthotkey": "",
        "prevhotkey": "",
        "turnFormat": "$level1$  |  $level2$",
        "reportFormat": "- $newTurn$",
        "lengthStyle": "Maximum",
        "length": 30,
    }
    level = tag("M.turn.ListTurnLevel", {**outer, **_LEVEL}, tag("M.turn.ListTurnLevel", {**inner, **_LEVEL}))
    return tag("M.turn.TurnTracker", about, level)


_LEVEL = {"configList": False, "configFirst": False}


def _dice(one: DiceLook) -> str:
    report = "- $PlayerName$: $name$: $result$" + (" = $numericalTotal$" if one.total and one.count > 1 else "")
    about = {
        "name": plain(one.name),
        "text": plain(one.name),
        "tooltip": f"Roll {one.count} dice of {one.sides} sides" if one.count > 1 else f"Roll a die of {one.sides} sides",
        "icon": "/images/die.gif",
        "hotkey": "",
        "nDice": one.count,
        "nSides": one.sides,
        "plus": 0,
        "addToTotal": 0,
        "reportTotal": False,
        "reportFormat": report,
        "prompt": one.ask,
        "sortDice": False,
        "lockSides": True,
        "lockPlus": True,
        "lockAdd": True,
        "lockDice": False,
    }
    return tag("M.DiceButton", about)


def setup_file(scenario: str) -> str:
    """The name of a scenario's set-up in the module."""
    return f"{scenario}.vsav"


def _setups(kit: Kit) -> list[str]:
    found = [
        {"name": plain(one.title, 80), "file": setup_file(key), "useFile": True, "isMenu": False, "description": plain(one.title)}
        for key, one in kit.data.scenarios.items()
    ]
    return [tag("M.PredefinedSetup", one) for one in (*found, {"name": "Empty board", "useFile": False, "isMenu": False})]


def _map(kit: Kit) -> str:
    parts = (
        "ForwardToKeyBuffer Scroller ForwardToChatter MenuDisplayer MapCenterer StackExpander PieceMover KeyBufferer SelectionHighlighters"
    )
    board = tag("P.Board", {"name": "Board", "image": "board.png", "reversible": False}, _grid(kit))
    apart = max(kit.ground.counter // 14, 3)
    about = {
        "mapName": MAP,
        "launch": False,
        "edgeWidth": 0,
        "edgeHeight": 0,
        "allowMultiple": False,
        "backgroundcolor": ",".join(map(str, kit.sheet.palette.named["paper"])),
        "color": "200,0,0",
        "thickness": 3,
        "markMoved": "Never",
        "moveWithinFormat": "$pieceName$: $previousLocation$ to $location$",
        "moveToFormat": "$pieceName$ comes to $location$",
        "createFormat": "$pieceName$ is placed in $location$",
        "changeFormat": "$message$",
        "onlyReportChangedLocation": True,
        "moveKey": "",
    }
    inside = [
        tag("Map.BoardPicker", {"title": "Board", "slotWidth": 350, "slotHeight": 125, "slotScale": 0.2}, board),
        tag("Map.StackMetrics", {"exSepX": kit.ground.counter + 4, "exSepY": 0, "unexSepX": apart, "unexSepY": apart, "disabled": False}),
        *(tag(f"Map.{part}") for part in parts.split()),
        tag("Map.HighlightLastMoved", {"enabled": True, "color": "255,0,0", "thickness": 3}),
        tag("Map.LayeredPieceCollection", {"property": "Layer", "layerOrder": f"{GROUND},{COUNTERS},{SIGNS}"}),
        tag("Map.Zoomer", {"zoomLevels": "0.25,0.35,0.5,0.7,1.0,1.4", "zoomStart": 3}),
        tag("Map.CounterDetailViewer", _VIEWER),
        tag("Map.GlobalMap", {"scale": _overview(kit), "buttonText": "Overview", "tooltip": "The whole board, small", "hotkey": "79,520"}),
        tag("Map.ImageSaver", {"buttonText": "Picture", "tooltip": "Save the map as a picture"}),
        tag("Map.MassKeyCommand", _CLEAR_MARKS),
    ]
    return tag("M.Map", about, *inside)


_VIEWER = {
    "version": 4,
    "delay": 400,
    "showgraph": True,
    "showtext": True,
    "minDisplayPieces": 2,
    "graphicsZoom": "1.0",
    "fontSize": 11,
    "display": "from all layers",
    "summaryReportFormat": "$LocationName$",
    "counterReportFormat": "$PieceName$",
    "propertyFilter": "",
    "fgColor": "0,0,0",
    "bgColor": "245,238,220",
    "borderWidth": 4,
    "centerText": True,
}
_CLEAR_MARKS = {
    "name": "Clear marks",
    "buttonText": "Clear marks",
    "tooltip": "Take all marks off the counters",
    "buttonHotkey": "",
    "hotkey": CLEAR,
    "filter": "",
    "deckCount": 0,
    "reportSingle": True,
    "reportFormat": "- Marks are cleared",
}


def _overview(kit: Kit) -> float:
    """The scale of the small map: about 700 pixels wide."""
    return round(min(700 / kit.ground.size[0], 0.4), 3)


def _grid(kit: Kit) -> str:
    """The map with its hex grid, and a zone a box."""
    ground = kit.ground
    numbered = hex_grid(ground.lattice, numbering_of(kit.data.board))
    rim = outline(ground.lattice, kit.data.board.columns, kit.data.board.rows)
    zones = [_zone("Map", rim, "$gridLocation$", numbered)]
    for zone in ground.zones.values():
        regions = [
            tag("B.Region", {"name": plain(f"{zone.name}: {turn_name(name)}"), "originx": x, "originy": y})
            for name, _ in zone.cells
            for x, y in filter(None, [ground.cell(zone.name, name)])
        ]
        grid = tag("B.RegionGrid", {"snapto": False, "visible": False, "fontsize": 9}, *regions) if regions else ""
        x0, y0, x1, y1 = zone.box
        zones.append(_zone(zone.name, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], "$gridLocation$" if regions else "$name$", grid))
    return tag("B.ZonedGrid", {}, *zones)


def _zone(name: str, rim: Iterable[tuple[int, int]], shown: str, grid: str) -> str:
    about = {
        "name": plain(name),
        "path": ";".join(f"{x},{y}" for x, y in rim),
        "locationFormat": shown,
        "useParentGrid": False,
        "useHighlight": False,
        "highlightProperty": "",
    }
    return tag("B.mapgrid.Zone", about, *((grid,) if grid else ()))
