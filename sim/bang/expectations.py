"""What is true of a game of BANG! laid out, and what of it a scenario file expects otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.bang.core import names
from sim.bang.layout import Expect
from sim.bang.table import Table
from sim.bang.wording import members, whole
from sim.notation import all_found, name_fits, same_names

WINNER_OF_ROLE = {"sheriff": "law", "deputy": "law", "outlaw": "outlaws", "renegade": "renegade"}
WINNER_OF_ENDING = {
    "scofflaw": "law", "vengeance": "renegade", "zombie": "renegade", "joint": "outlaws+renegade"
}  # fmt: skip


def facts(table: Table) -> dict[str, Any]:
    """What files can expect, with what is true of it: ``winner``, ``seat`` by number, ``piles``, …"""
    game = table.game
    players = int(game["public"]["players"])
    question = table.question()
    winners = [seat for seat in range(players) if int(game["record"]["winners"]) >> seat & 1] if table.is_over else []
    return {
        "winner": _winner(game, winners, players),
        "winners": winners,
        "ending": names.ENDINGS[int(game["ending"])] if table.is_over else "none",
        "asked": question.seat if question else None,
        "seat": {str(seat): _seat_facts(table, seat, seat in winners) for seat in range(players)},
        "piles": _pile_facts(table),
    }


def _winner(game: Any, winners: Sequence[int], players: int) -> str:
    """The side that has won; with three players each seat is a side, named after its role."""
    if not winners:
        return "none"
    if players == 3:
        return WINNER_OF_ROLE[names.ROLES[int(game["own"][winners[0]]["role"])]]
    ending = names.ENDINGS[int(game["ending"])]
    return WINNER_OF_ENDING.get(ending, ending)


def _seat_facts(table: Table, seat: int, won: bool) -> dict[str, Any]:
    public, own = table.game["public"], table.game["own"][seat]
    alive = bool(int(public["alive"]) >> seat & 1)
    hand = _texts(table, own["hand"])
    return {
        "life": int(public["life"][seat]),
        "max_life": int(public["max_life"][seat]),
        "alive": alive,
        "role": names.ROLES[int(own["role"])],
        "ghost": not alive,
        "won": won,
        "hand": hand,
        "hand_size": len(hand),
        "in_play": _texts(table, public["in_play"][seat]),
        **_ghost_facts(table, seat),
    }


def _ghost_facts(table: Table, seat: int) -> dict[str, Any]:
    """What Death Mesa adds; nothing of it is there without."""
    public, own = table.game["public"], table.game["own"][seat]
    with_ghosts = table.session.with_ghosts
    buried = _texts(table, table.game["buried"][seat]) if with_ghosts else []
    dead_hand = _texts(table, own["dead_hand"]) if with_ghosts else []
    terrified = _texts(table, public["in_play"][seat] & public["terrified"]) if with_ghosts else []
    return {
        "buried": buried,
        "buried_size": len(buried),
        "dead_hand": dead_hand,
        "dead_hand_size": len(dead_hand),
        "bullets": int(public["bullets"][seat]) if with_ghosts else 0,
        "terrified": terrified,
    }


def _pile_facts(table: Table) -> dict[str, Any]:
    draw = [table.names.card(card) for card in table.draw_order()]
    discard = _top_first(table, table.game["discard_pile"])
    return {
        "draw_top": draw,
        "draw_size": len(draw),
        "discard_top": discard,
        "discard_has": discard,
        "discard": discard,
        "discard_size": len(discard),
        **_dead_pile_facts(table),
    }


def _top_first(table: Table, pile: Any) -> list[str]:
    """The cards of a pile that lie in order, as they are written."""
    return [table.names.card(int(card)) for card in pile["cards"][: pile["count"]][::-1]]


def _dead_pile_facts(table: Table) -> dict[str, Any]:
    if not table.session.with_ghosts:
        return {"dead_draw_size": 0, "dead_discard_top": [], "dead_discard_size": 0}
    discard = _top_first(table, table.game["dead_discards"])
    return {
        "dead_draw_size": int(table.game["dead_pile"]["count"]),
        "dead_discard_top": discard,
        "dead_discard_size": len(discard),
    }


def _texts(table: Table, cards: Any) -> list[str]:
    """The cards of a set as they are written, in the order of the card table."""
    return [table.names.card(card) for card in members(whole(cards))]


def unmet(expect: Expect, found: Mapping[str, Any]) -> list[str]:
    """Sentences for what is expected and not so."""
    wanted = expect.model_dump(exclude_unset=True)
    seats, piles = wanted.pop("seat", {}), wanted.pop("piles", {})
    sentences = _differences("", wanted, found)
    for number, seat in seats.items():
        sentences += _differences(f"seat {number}: ", seat, found["seat"][number])
    return sentences + _differences("piles: ", piles, found["piles"])


def _differences(where: str, wanted: Mapping[str, Any], found: Mapping[str, Any]) -> list[str]:
    return [
        f"{where}{key}: expected {_shown(value)}, "
        f"found {_shown(found[key], len(as_list(value)) if _is_top(key) else None)}"
        for key, value in wanted.items()
        if not _meets(key, value, found[key])
    ]


def _meets(key: str, wanted: Any, found: Any) -> bool:
    if key == "winners":
        return sorted(wanted) == list(found)
    if _is_top(key):
        cards = as_list(wanted)
        return len(cards) <= len(found) and all(map(name_fits, cards, found))
    if key == "discard_has":
        return all_found(as_list(wanted), found)
    if key == "discard":
        return len(wanted) == len(found) and all(map(name_fits, wanted, found))
    if key == "terrified" and isinstance(wanted, bool):
        return wanted == bool(found)
    if isinstance(found, list):
        return same_names(wanted, found)
    return bool(wanted == found)


def _is_top(key: str) -> bool:
    return key.endswith("_top")


def as_list(cards: Sequence[str] | str) -> list[str]:
    """One card or several, as a list."""
    return [cards] if isinstance(cards, str) else list(cards)


def _shown(value: Any, count: int | None = None) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value[:count])) or "nothing"
    return "nobody" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
