"""What a scenario file may say about a game of BANG!: seats, piles, the start, what is expected."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sim.documents import Document
from sim.errors import UserError, unknown

Role = Literal["sheriff", "deputy", "outlaw", "renegade"]

MOST_EFFECTS = 128

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
    bullets: int = Field(0, ge=0, le=6)
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
    dead_plays: int = Field(0, ge=0, le=100)
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
    terrified: bool | list[str] | None = None


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


def require_in_use(layout: Layout, expansions: Collection[str], document: Document) -> None:
    """Raises UserError for a key with a value that means something only in an expansion that is not in use."""
    for i, seat in enumerate(layout.seat):
        _require_empty(seat, OF_EXPANSION["seat"], expansions, document, "seat", i)
    _require_empty(layout.piles, OF_EXPANSION["piles"], expansions, document, "piles")
    _require_empty(layout.start, OF_EXPANSION["start"], expansions, document, "start")
    if layout.effect and DEATH_MESA not in expansions:
        raise _not_in_use("effect", DEATH_MESA, document.place("effect", 0))


def _require_empty(
    model: Strict, owners: dict[str, str], expansions: Collection[str], document: Document, *key: str | int
) -> None:
    for name, owner in owners.items():
        if owner in expansions:
            continue
        # 0 is a seat for ``killer`` and ``last_attacked``, which are absent as None.
        value = getattr(model, name)
        if value or (value == 0 and value is not False and type(model).model_fields[name].default is None):
            raise _not_in_use(name, owner, document.place(*key, name))


def _not_in_use(name: str, owner: str, place: str) -> UserError:
    if owner == DEATH_MESA:
        advice = f'say expansions = ["{owner}"] under [rules], or leave it out'
        return UserError(f"{place}: {name} belongs to {owner}; {advice}")
    return UserError(f"{place}: {name} belongs to {owner}, which this version does not play; leave it out")


def check_seats(layout: Layout, expansions: Collection[str], document: Document) -> None:
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
    if layout.seat[start].ghost and DEATH_MESA not in expansions:
        raise UserError(f"{place}: seat {start} is eliminated and has no turn (B-34)")
    if DEATH_MESA in expansions:
        _check_ghosts(layout, document)


def _check_ghosts(layout: Layout, document: Document) -> None:
    """Raises UserError for what ghosts, or the living, cannot have, and for effects on seats that are not there."""
    seats = range(len(layout.seat))
    for i, seat in enumerate(layout.seat):
        for key in ("buried", "dead_hand", "killer", "bullets"):
            if not seat.ghost and getattr(seat, key) not in ([], None, 0):
                place = document.place("seat", i, key)
                raise UserError(f"{place}: seat {i} is alive and has no {key}; say ghost = true as well")
        if seat.killer is not None and seat.killer not in seats:
            raise UserError(f"{document.place('seat', i, 'killer')}: there is no seat {seat.killer}; {_seats(layout)}")
        last = seat.last_attacked
        if last is not None and last != "several" and last not in seats:
            place = document.place("seat", i, "last_attacked")
            raise UserError(f'{place}: last_attacked is {last!r}; valid: a seat or "several"; {_seats(layout)}')
        if seat.zombie and (seat.ghost or seat.role != "renegade"):
            raise UserError(f"{document.place('seat', i, 'zombie')}: only a living renegade can be a zombie (DM-68)")
    if len(layout.effect) > MOST_EFFECTS:
        place = document.place("effect", MOST_EFFECTS)
        raise UserError(f"{place}: there are {len(layout.effect)} effects; valid: 0..{MOST_EFFECTS}")
    for i, effect in enumerate(layout.effect):
        if effect.caster is None or effect.caster not in seats:
            raise UserError(f"{document.place('effect', i)}: caster is {effect.caster}; {_seats(layout)}")
        for on in effect.on:
            if on not in seats or layout.seat[on].ghost:
                place = document.place("effect", i, "on")
                raise UserError(f"{place}: seat {on} is not alive; effects are on the living")


def _seats(layout: Layout) -> str:
    return f"seats: 0..{len(layout.seat) - 1}"


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
