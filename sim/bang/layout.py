"""What a scenario file may say about a game of BANG!: seats, piles, the start, what is expected."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sim.documents import Document
from sim.errors import UserError, unknown

Role = Literal["sheriff", "deputy", "outlaw", "renegade"]

DEATH_MESA, EVENTS, DODGE_CITY = "death_mesa", "high_noon or fistful", "dodge_city"

OF_EXPANSION = {
    "seat": {
        "copies": DODGE_CITY,
        "buried": DEATH_MESA,
        "dead_hand": DEATH_MESA,
        "killer": DEATH_MESA,
        "last_attacked": DEATH_MESA,
        "bullets": DEATH_MESA,
        "zombie": DEATH_MESA,
    },
    "piles": {"dead_draw": DEATH_MESA, "dead_discard": DEATH_MESA, "events": EVENTS},
    "start": {"dead_plays": DEATH_MESA, "used": f"{DODGE_CITY}, {EVENTS}", "extra_turn": EVENTS},
}
"""Keys that mean nothing in the base game, with the expansion they belong to: there they may only be empty."""


class Strict(BaseModel):
    """No unknown keys, no conversions."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Seat(Strict):
    """One player, as scenario files describe him."""

    role: Role
    character: str
    max_life: int | None = Field(None, ge=1, le=100)
    life: int | None = Field(None, ge=-100, le=100)
    hand: list[str] = []
    in_play: list[str] = []
    ghost: bool = False
    laid: list[str] = []
    copies: str | None = None
    set_aside: str | None = None
    died: int | None = Field(None, ge=1)
    buried: list[str] = []
    dead_hand: list[str] = []
    killer: int | None = None
    last_attacked: int | str | None = None
    bullets: int = 0
    zombie: bool = False


class Piles(Strict):
    """The piles, top first."""

    draw: list[str] = []
    discard: list[str] = []
    dead_draw: list[str] = []
    dead_discard: list[str] = []
    events: list[str] = []
    rest: bool = True


class Start(Strict):
    """Where in the turn play begins."""

    seat: int = Field(ge=0)
    phase: Literal["turn", "draw", "play", "discard"]
    bangs_played: int = Field(0, ge=0, le=1000)
    dead_plays: int = 0
    used: list[str] = []
    extra_turn: bool = False


class Effect(Strict):
    """Something in force; only expansions have such effects."""

    card: str
    caster: int | None = None
    on: list[int] = []
    origin: Literal["hand", "play"] | None = None


class ExpectSeat(Strict):
    """What is expected of a player."""

    life: int | None = None
    max_life: int | None = None
    alive: bool | None = None
    role: Role | None = None
    ghost: bool | None = None
    won: bool | None = None
    hand: list[str] | None = None
    hand_size: int | None = None
    in_play: list[str] | None = None
    buried: list[str] | None = None
    buried_size: int | None = None
    dead_hand: list[str] | None = None
    dead_hand_size: int | None = None
    bullets: int | None = None
    terrified: bool | None = None


class ExpectPiles(Strict):
    """What is expected of the piles."""

    draw_top: list[str] | str | None = None
    draw_size: int | None = None
    discard_top: list[str] | str | None = None
    discard_has: list[str] | str | None = None
    discard: list[str] | None = None
    discard_size: int | None = None
    dead_draw_size: int | None = None
    dead_discard_top: list[str] | str | None = None
    dead_discard_size: int | None = None


class Expect(Strict):
    """What is expected at the end."""

    winner: Literal["none", "law", "outlaws", "renegade", "outlaws+renegade"] | None = None
    winners: list[int] | None = None
    ending: str | None = None
    asked: int | None = None
    seat: dict[str, ExpectSeat] = {}
    piles: ExpectPiles = ExpectPiles()


class Layout(Strict):
    """Everything in a scenario file that is the game's own."""

    rules: dict[str, Any] = {}
    seat: list[Seat]
    piles: Piles = Piles()
    start: Start
    effect: list[Effect] = []
    expect: Expect = Expect()


def require_base_game(layout: Layout, document: Document) -> None:
    """Raises UserError for a key with a value that means something in an expansion only."""
    for i, seat in enumerate(layout.seat):
        _require_empty(seat, OF_EXPANSION["seat"], document, "seat", i)
    _require_empty(layout.piles, OF_EXPANSION["piles"], document, "piles")
    _require_empty(layout.start, OF_EXPANSION["start"], document, "start")
    if layout.effect:
        raise _not_built("effect", DEATH_MESA, document.place("effect", 0))


def _require_empty(model: Strict, owners: dict[str, str], document: Document, *key: str | int) -> None:
    for name, owner in owners.items():
        # 0 is a seat for ``killer`` and ``last_attacked``, which are absent as None.
        value = getattr(model, name)
        if value or (value == 0 and value is not False and type(model).model_fields[name].default is None):
            raise _not_built(name, owner, document.place(*key, name))


def _not_built(name: str, owner: str, place: str) -> UserError:
    return UserError(f"{place}: {name} belongs to {owner}, which this version does not play; leave it out")


def check_seats(layout: Layout, document: Document) -> None:
    """Raises UserError for roles and eliminations that cannot be."""
    roles = [seat.role for seat in layout.seat]
    place = document.place("seat", 0)
    if len(roles) == 3:
        if sorted(roles) != ["deputy", "outlaw", "renegade"]:
            found = ", ".join(roles)
            raise UserError(f"{place}: with 3 seats the roles are deputy, outlaw and renegade (B-2), not {found}")
    elif roles.count("sheriff") != 1:
        count = roles.count("sheriff")
        raise UserError(f"{place}: there are {count} sheriffs; with {len(roles)} seats there must be one")
    _check_dead(layout, document)
    characters = [seat.character for seat in layout.seat]
    for i, name in enumerate(characters):
        if name != "none" and name in characters[:i]:
            raise UserError(f"{document.place('seat', i, 'character')}: {name} is in play twice")
    start, place = layout.start.seat, document.place("start", "seat")
    if start >= len(roles):
        raise UserError(f"{place}: there is no seat {start}; seats: 0..{len(roles) - 1}")
    if layout.seat[start].ghost:
        raise UserError(f"{place}: seat {start} is eliminated and has no turn (B-34)")


def _check_dead(layout: Layout, document: Document) -> None:
    ranks = [seat.died for seat in layout.seat]
    for i, seat in enumerate(layout.seat):
        place = document.place("seat", i, "died")
        if not seat.ghost and seat.died is not None:
            raise UserError(f"{place}: seat {i} is not eliminated; say ghost = true as well")
        if seat.died is not None and seat.died in ranks[:i]:
            raise UserError(f"{place}: two seats were eliminated as number {seat.died}")
        if seat.ghost and (seat.hand or seat.in_play):
            key = "hand" if seat.hand else "in_play"
            raise UserError(
                f"{document.place('seat', i, key)}: seat {i} is eliminated and has no {key.replace('_', ' ')} (B-34)"
            )


def check_expected(layout: Layout, document: Document, endings: tuple[str, ...]) -> None:
    """Raises UserError for expectations that no game can meet."""
    valid = [str(seat) for seat in range(len(layout.seat))]
    for seat in layout.expect.seat:
        if seat not in valid:
            raise unknown("seat", seat, valid, document.place("expect", "seat", seat))
    expect = layout.expect
    if expect.ending is not None and expect.ending not in (*endings, "none"):
        raise unknown("ending", expect.ending, (*endings, "none"), document.place("expect", "ending"))
    for key, seats in (("winners", expect.winners or []), ("asked", [] if expect.asked is None else [expect.asked])):
        for number in seats:
            if str(number) not in valid:
                raise unknown("seat", str(number), valid, document.place("expect", key))
    if expect.asked is not None and document.data.get("stop") != "after_script":
        raise UserError(f'{document.place("expect", "asked")}: asked needs stop = "after_script"')
