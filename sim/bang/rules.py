"""The rules of one BANG! set-up: which parameters there are, the values that hold, and what makes no sense."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from typing import Any, NamedTuple

from sim.bang.cards import DATA, DEATH_MESA, card_types, characters, dead_card_types
from sim.errors import UserError, plain, unknown
from sim.game import Rules
from sim.parameters import Parameter, read_parameters

EXPANSIONS: Mapping[str, tuple[str, ...]] = {
    "dodge_city": ("dodge_city",),
    "high_noon": ("events", "high_noon"),
    "fistful": ("events", "fistful"),
    "death_mesa": ("death_mesa",),
}
"""The expansions and, for each, the parts of the parameter list that it brings into use."""

BUILT: tuple[str, ...] = ("death_mesa",)
"""The expansions that this version plays; the base game is always there."""

BASE_PART = "bang"
DEFAULT_PRESET = "seed"


class Roles(NamedTuple):
    """How many players are dealt each role (B-1)."""

    sheriff: int
    deputies: int
    outlaws: int
    renegades: int


ROLE_TABLE: Mapping[int, Roles] = {
    3: Roles(0, 1, 1, 1),
    4: Roles(1, 0, 2, 1),
    5: Roles(1, 1, 2, 1),
    6: Roles(1, 1, 3, 1),
    7: Roles(1, 2, 3, 1),
    8: Roles(1, 2, 3, 2),
}
"""B-1, by number of players."""


class Difference(NamedTuple):
    """A parameter whose ``value`` is not the ``default`` of a preset."""

    parameter: Parameter
    value: Any
    default: Any


def parameters() -> tuple[Parameter, ...]:
    """Every parameter that can be set in this version, in the order of the list, families member by member."""
    return tuple(_in_use(BUILT).values())


def resolve(settings: Mapping[str, Any]) -> Rules:
    """The rules that the user's settings give: what is not named has the default of the preset (SW-0).

    Values may be text or typed; ``copies = {bang = 20}`` and ``"copies.bang" = 20`` are the same. ``expansions`` is a
    list or text with commas. Raises UserError for unknown names, invalid values, parameters of parts that are not in
    use, and combinations that make no sense.
    """
    given = _flat(settings)
    expansions = _expansions(given.pop("expansions", ""))
    usable = _in_use(expansions)
    for name in given:
        if name not in usable:
            raise _not_usable(name, (*usable, "expansions"), {*expansions})
    named = {name: usable[name].parse(value) for name, value in given.items()}
    preset = named.get("preset", DEFAULT_PRESET)
    # A sweep has thousands of rules that differ in few values: all of them share the defaults.
    rules = Rules(preset, expansions, ChainMap(named, _defaults(preset, expansions)), frozenset(named))
    roles(rules)
    if DEATH_MESA in expansions:
        _require_sense(rules)
    return rules


@cache
def _defaults(preset: str, expansions: tuple[str, ...]) -> dict[str, Any]:
    """The values of a preset."""
    return {name: parameter.defaults[preset] for name, parameter in _in_use(expansions).items()}


def _require_sense(rules: Rules) -> None:
    """Raises UserError for rules of Death Mesa that contradict each other."""
    if rules["players"] == 3 and not rules["dm_allow_three_players"]:
        raise UserError(
            "players is 3: Death Mesa is made for 4 to 8 players (OP-70); set dm_allow_three_players=true to play it"
            " nevertheless"
        )
    if rules["dm_law_win_waits_for_zombie"] and rules["dm_renegade_return"] != "zombie":
        raise UserError(
            "dm_law_win_waits_for_zombie is true, but nobody returns as a Zombie; set dm_renegade_return=zombie as well"
        )
    if rules["dead_deck"]:
        assumed = [name for name in ("dmd_composition", "dmd_arrangement") if name in rules.named]
        if assumed:
            raise UserError(f"{assumed[0]} has no effect beside dead_deck, which lists all cards; leave one out")


def roles(rules: Rules) -> Roles:
    """The roles that are dealt: the table of B-1, with ``roles.deputies``, ``.outlaws`` and ``.renegades`` where set.

    Raises UserError for roles that do not add up to the players, for a Sheriff without enemies, and for any change
    with 3 players.
    """
    players = rules["players"]
    table = ROLE_TABLE[players]
    changes = {role: count for role in Roles._fields[1:] if (count := rules[f"roles.{role}"]) >= 0}
    if players == 3 and changes:
        raise UserError(
            f"roles.{min(changes)}: with 3 players the roles are always Deputy, Outlaw and Renegade, each hunting the"
            " next (B-2); leave it out, or play with 4 or more"
        )
    dealt = table._replace(**changes)
    if sum(dealt) != players:
        raise UserError(
            f"the roles add up to {sum(dealt)} but players is {players}: {_listed(dealt)}; set roles.deputies,"
            f" roles.outlaws and roles.renegades so that they add up to {players - dealt.sheriff}"
        )
    if dealt.outlaws + dealt.renegades == 0:
        raise UserError(
            "roles.outlaws and roles.renegades are both 0: the law would have won before the first turn (B-41);"
            " deal at least one of either"
        )
    return dealt


def difference(rules: Rules, preset: str) -> tuple[Difference, ...]:
    """The parameters in use whose value is not the default of a preset, in the order of the list.

    ``preset`` itself is left out: it only chooses the defaults. Raises UserError for an unknown preset.
    """
    usable = dict(_in_use(rules.expansions))
    preset = usable.pop("preset").parse(preset)
    compared = (Difference(p, rules[p.name], p.defaults[preset]) for p in usable.values())
    return tuple(d for d in compared if d.value != d.default)


@cache
def _declared() -> tuple[Parameter, ...]:
    """The whole list, for all expansions, families not expanded."""
    return read_parameters(DATA / "parameters.csv")


@cache
def _in_use(expansions: tuple[str, ...]) -> Mapping[str, Parameter]:
    """The parameters that some expansions and the base game bring into use by name, families expanded."""
    parts = {BASE_PART, *(part for name in expansions for part in EXPANSIONS[name])}
    sets = {"base", *expansions}
    members = {
        "copies.": [plain(t.name) for t in card_types()],
        "dmd_copies.": [plain(t.name) for t in dead_card_types()],
        "life.": [plain(c.name) for c in characters() if c.set in sets],
    }
    rows = (p for p in _declared() if p.part in parts)
    return {q.name: q for p in rows for q in (p.expand(members[p.family]) if p.family else (p,))}


def _flat(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with dotted names instead of nested tables. Raises UserError for a name that is set twice."""
    flat: dict[str, Any] = {}
    for name, value in _leaves(settings):
        if name in flat:
            raise UserError(f"{name} is set twice")
        flat[name] = value
    return flat


def _leaves(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _expansions(value: Any) -> tuple[str, ...]:
    """The expansions of a list, or of text with commas, in the order of EXPANSIONS. Raises UserError."""
    if isinstance(value, str):
        value = [] if value.strip() in ("", "none") else [name.strip() for name in value.split(",")]
    if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
        raise UserError(f"expansions: {value!r} is not a list of names; valid names: {', '.join(EXPANSIONS)}")
    for name in value:
        if name not in EXPANSIONS:
            raise unknown("expansion", name, EXPANSIONS, "expansions")
        if name not in BUILT:
            raise UserError(f"expansions: this version does not play {name} yet; it plays: {_played()}")
    return tuple(name for name in EXPANSIONS if name in value)


def _not_usable(name: str, usable: Iterable[str], expansions: Set[str]) -> UserError:
    """The error for a parameter that is unknown, or belongs to an expansion that is not in use."""
    parts = {p.part for p in _declared() if name == p.name or (p.family and name.startswith(p.family))}
    parts |= {c.set for c in characters() if name == f"life.{plain(c.name)}"}
    owners = [e for e, brought in EXPANSIONS.items() if parts.intersection(brought)]
    if not owners or expansions.intersection(owners):
        return unknown("parameter", name, {*usable, *(p.name for p in parameters())})
    there = [e for e in owners if e in BUILT]
    advice = f"add {' or '.join(there)} to expansions" if there else f"this version plays: {_played()}"
    return UserError(f"{name} belongs to the expansion {' or '.join(owners)}, which is not in use; {advice}")


def _played() -> str:
    return ", ".join(("the base game", *BUILT))


def _listed(dealt: Roles) -> str:
    """The roles for people: ``sheriff 1, deputies 2, outlaws 3, renegades 1``."""
    return ", ".join(f"{role} {count}" for role, count in dealt._asdict().items())
