"""Seats: who is next, who is near, who may be reached (B-20 … B-23)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import highest, lowest, popcount
from sim.kernel.jit import leaf

from .flags import DEATH_MESA, WORDS
from .names import NO_CARD, SEATS, VOLCANIC, WEAPON

ANY_WEAPON = 1 << WEAPON | 1 << VOLCANIC


@leaf
def living(public):
    """Seats in play."""
    return np.int64(public.alive)


@leaf
def is_alive(public, seat):
    return living(public) >> seat & 1 != 0


@leaf
def others(public, seat):
    """The seats in play but this one."""
    return living(public) & ~(1 << seat)


@leaf
def count_living(public):
    return popcount(living(public))


@leaf
def ghosts(public):
    """Seats that play on as ghosts (DM-1)."""
    if DEATH_MESA:
        return np.int64(public.ghosts)
    return np.int64(0)


@leaf
def is_ghost(public, seat):
    return ghosts(public) >> seat & 1 != 0


@leaf
def assign_strategy(game, seat, role):
    """Who decides for a seat from now on: the strategy for players who were dealt this role, alive or as ghosts."""
    game.own[seat].strategy = game.strategy_of_role[1 if is_ghost(game.public, seat) else 0, role]


@leaf
def with_some(amounts, seats):
    """Of these seats, those whose amount (a number for each seat) is not 0."""
    found = seats & 0
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        if amounts[seat] != 0:
            found |= 1 << seat
    return found


@leaf
def next_of(seats, seat):
    """The first seat of a set clockwise after ``seat``; the set must not be empty."""
    after = seats & ~((2 << seat) - 1)
    return lowest(after if after != 0 else seats)


@leaf
def neighbours(public, target, attacker):
    """DM-C15: the living next to the attacked one on either side, never the attacker."""
    seats = living(public) & ~(1 << target)
    if seats == 0:
        return seats
    left = next_of(seats, target)
    before = seats & ((1 << target) - 1)
    right = highest(np.uint64(before if before != 0 else seats))
    return (1 << left | 1 << right) & ~(1 << attacker)


@leaf
def within(public, tables, seat, distance):
    """B-21: the other seats in play at most ``distance`` (≥ 1) away, seen from a seat, weapons apart."""
    sight = min(distance + np.int64(public.near[seat]), SEATS - 1)
    row = tables.within[living(public), seat]
    far, farther = np.int64(public.far[0]), np.int64(public.far[1])
    seats = np.int64(row[sight]) & ~far
    seats |= np.int64(row[sight - 1]) & far & ~farther
    return seats | np.int64(row[max(sight - 2, 0)]) & farther


@leaf
def working(public, seat, w):
    """Word w of the cards in front of a seat that have their effect (DM-C23)."""
    if DEATH_MESA:
        return public.in_play[seat, w] & ~public.terrified[w]
    return public.in_play[seat, w]


@leaf
def weapon(public, tables, seat):
    """The weapon in front of a seat, NO_CARD if there is none (B-15)."""
    card = NO_CARD
    if np.int64(public.effects_in_play[seat]) & ANY_WEAPON != 0:
        for w in range(WORDS):
            found = working(public, seat, w) & tables.weapons[w]
            if found != 0:
                card = lowest(found) + 64 * w
    return card


@leaf
def reach(public, rules, tables, seat):
    """B-22: the seats that a BANG! of this seat reaches."""
    armed = np.int64(public.weapon_range[seat])
    return within(public, tables, seat, armed if armed > 0 else np.int64(rules.no_weapon_range))


@leaf
def has_volcanic(public, seat):
    return np.int64(public.effects_in_play[seat]) >> VOLCANIC & 1 != 0


@leaf
def hand_limit(public, rules, seat):
    """B-16; DM-77 for a Zombie."""
    limit = np.int64(public.life[seat]) + np.int64(rules.hand_limit_delta)
    if DEATH_MESA:
        if np.int64(public.zombies) >> seat & 1 != 0:
            limit += np.int64(rules.dm_zombie_hand_limit_delta)
    return max(0, limit)
