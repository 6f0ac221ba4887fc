"""Who has won (B-2, B-40 … B-46)."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest
from sim.kernel.jit import leaf, shared

from .names import (
    DEPUTY,
    LAST_ALIVE,
    LAW,
    NOBODY_ALIVE,
    OUTLAW,
    OUTLAWS,
    RENEGADE,
    RENEGADES,
    SHERIFF,
    TARGET,
)
from .seats import count_living, is_alive, living


@shared
def seats_of(game, role):
    """The seats with a role, dead or alive."""
    seats = 0
    for seat in range(np.int64(game.public.players)):
        if game.own[seat].role == role:
            seats |= 1 << seat
    return seats


@shared
def test_victory(game, rules):
    """Sets the ending and the winners if the game is decided."""
    if game.public.players == 3:
        test_three_players(game, rules)
    else:
        test_teams(game, rules)


@leaf
def conclude(game, ending, winners):
    game.ending = ending
    game.record.winners = winners


@leaf
def test_teams(game, rules):
    """B-41, B-42, B-44. Members of a winning side win dead or alive, a Renegade only alive (B-4)."""
    public = game.public
    alive = living(public)
    if is_alive(public, np.int64(public.sheriff)):
        if public.roles_left[OUTLAW] + public.roles_left[RENEGADE] == 0:
            conclude(game, LAW, seats_of(game, SHERIFF) | seats_of(game, DEPUTY))
        elif count_living(public) == 2 and public.roles_left[RENEGADE] != 0:
            game.record.showdown = 1
    elif alive == 0 and rules.all_dead_winner != 0:
        conclude(game, NOBODY_ALIVE, 0)
    elif count_living(public) == 1 and public.roles_left[RENEGADE] != 0:
        conclude(game, RENEGADES, alive)
    else:
        conclude(game, OUTLAWS, seats_of(game, OUTLAW))


@leaf
def test_three_players(game, rules):
    """B-2: the own target personally eliminated, or the last one alive. Nobody alive: B-44."""
    public = game.public
    if game.target_hit >= 0:
        conclude(game, TARGET, 1 << np.int64(game.target_hit))
    elif living(public) == 0:
        if rules.all_dead_winner != 0:
            conclude(game, NOBODY_ALIVE, 0)
        else:
            conclude(game, OUTLAWS, seats_of(game, OUTLAW))
    elif count_living(public) == 1:
        conclude(game, LAST_ALIVE, 1 << lowest(living(public)))
