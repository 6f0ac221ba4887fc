"""What a ghost may play, on whom, and at what price (DM-16 … DM-28): the one place that knows."""

from __future__ import annotations

import numpy as np

from sim.kernel.bits import lowest
from sim.kernel.jit import leaf, shared

from .flags import DEATH_MESA, WORDS
from .ghosts import is_one_team
from .names import (
    BAD_MOON_RISING,
    CEMETARY,
    CONVERT,
    DECAY,
    DEPUTY,
    DESICRATE_GRAVE,
    GUILTY_CONSCIENCE,
    IN_MEMORIAM,
    LAST_TESTAMENT,
    MIRAGE,
    NO_EFFECT,
    NOBODY_BIT,
    NOTHING,
    OUTLAW,
    POLTERGEIST,
    POSSESS,
    RENEGADE,
    ROB_GRAVE,
    SEANCE,
    SEATS,
    SYPHON,
    TERRIFY,
    THE_EAST_WIND,
    UNFINISHED_BUSINESS,
    WARN,
)
from .seats import count_living, ghosts, living, with_some

SCOFFLAW_RETURN, ZOMBIE_RETURN = 1, 2
"""Values of dm_renegade_return."""

JACK_OR_SO = 10
"""Rank of the first choice of dm_royal_rank."""


@leaf
def surcharge(public, rules):
    """DM-22: what every play costs besides while all ghosts are of one team."""
    return np.int64(rules.dm_oneteam_surcharge) if is_one_team(public, rules) else NOTHING


@leaf
def extra_cost(public, rules):
    """DM-20: what a further play of the own turn costs (OP-17)."""
    earlier = public.dead_plays if rules.dm_extra_cost_trigger == 0 else public.dead_successes
    return np.int64(rules.dm_extra_play_cost) if earlier > 0 else NOTHING


@leaf
def together(rules, extra, added):
    """OP-21: both costs add up, or only the higher one is due."""
    return extra + added if rules.dm_costs_stack != 0 else max(extra, added)


@leaf
def is_royal(rules, tables, card):
    """DM-24: whether a card is free of the surcharge."""
    return rules.dm_royal_free != 0 and tables.rank[card] >= JACK_OR_SO + rules.dm_royal_rank


@shared
def price_of_card(public, rules, tables, seat, card):
    """Cards that a ghost discards besides a card he plays; out of his turn it is a reaction (DM-21, OP-19)."""
    added = NOTHING if is_royal(rules, tables, card) else surcharge(public, rules)
    if public.in_turn == seat:
        return together(rules, extra_cost(public, rules), added)
    return added if rules.dm_surcharge_on_reactions != 0 else NOTHING


@shared
def price_of_conversion(public, rules, seat):
    """Cards that a ghost discards besides those he converts (DM-28)."""
    added = surcharge(public, rules) if rules.dm_surcharge_on_conversion != 0 else NOTHING
    counts = public.known_role[seat] == RENEGADE and rules.dm_renegade_return != ZOMBIE_RETURN
    counts = counts and rules.dm_conversion_counts_as_play != 0 and public.in_turn == seat
    return together(rules, extra_cost(public, rules) if counts else NOTHING, added)


@shared
def price_of_negation(public, rules, seat):
    """OP-18: cards that a ghost discards besides one he negates or answers with."""
    if rules.dm_surcharge_on_negation == 0:
        return NOTHING
    extra = extra_cost(public, rules) if public.in_turn == seat else NOTHING
    return together(rules, extra, surcharge(public, rules))


@leaf
def may_play_more(public, rules):
    """DM-20: whether the ghost in turn may play at all, or again."""
    return rules.dm_extra_play_allowed != 0 or public.dead_plays == 0


@leaf
def may_convert_again(public, rules, seat):
    """OP-25."""
    return rules.dm_conversion_max_per_turn == 0 or public.conversions[seat] < rules.dm_conversion_max_per_turn


@leaf
def conversion_cost(public, rules, seat):
    """Cards that a ghost of this role converts, 0 if he cannot (DM-26, DM-27, DM-71)."""
    role = public.known_role[seat]
    if role == RENEGADE:
        if rules.dm_renegade_return == ZOMBIE_RETURN:
            return np.int64(rules.dm_zombie_conversion_cost)
        return np.int64(rules.dm_renegade_conversion_cost) if rules.dm_renegade_conversion != 0 else NOTHING
    if role == DEPUTY:
        return np.int64(rules.dm_deputy_conversion_cost) if rules.dm_deputy_conversion != 0 else NOTHING
    return NOTHING


@shared
def can_convert(public, rules, seat):
    """Whether a ghost has the cards for his conversion, and has not made too many."""
    cost = conversion_cost(public, rules, seat)
    return (
        cost > 0
        and may_convert_again(public, rules, seat)
        and public.dead_hand_size[seat] >= cost + price_of_conversion(public, rules, seat)
    )


@shared
def conversion_targets(public, rules, seat):
    """DM-26, DM-71: whom the conversion of a dead Renegade may name in his turn; the Zombie's names nobody."""
    if public.known_role[seat] != RENEGADE or not can_convert(public, rules, seat):
        return NOTHING
    if rules.dm_renegade_return == ZOMBIE_RETURN:
        return NOBODY_BIT
    if rules.dm_conversion_counts_as_play != 0 and public.in_turn == seat and not may_play_more(public, rules):
        return NOTHING
    return living(public)


@shared
def ghost_targets(public, own, rules, tables, what):
    """What the ghost in turn may play now: the seats that ``what`` may name, NOBODY_BIT for none, 0: not at all."""
    seat = np.int64(own.seat)
    if what == CONVERT:
        return conversion_targets(public, rules, seat)
    if what >= 64 * WORDS:
        return NOTHING
    effect = np.int64(tables.effect[what])
    exchange = NOBODY_BIT if is_exchanged(public, rules, effect) else NOTHING
    if effect == NO_EFFECT or effect == WARN or effect == MIRAGE or not may_play_more(public, rules):
        return exchange
    if public.dead_hand_size[seat] <= price_of_card(public, rules, tables, seat, what):
        return exchange
    targets = targets_of_effect(public, own, rules, seat, effect)
    if targets == 0 and rules.dm_allow_null_play != 0:
        return NOBODY_BIT
    return targets | exchange


@leaf
def is_exchanged(public, rules, effect):
    """OP-78: cards that a ghost of the only team may discard and replace (patch 1.03)."""
    needs_a_ghost = effect == DESICRATE_GRAVE or effect == SYPHON or effect == ROB_GRAVE
    return needs_a_ghost and rules.dm_redraw_dead_cards != 0 and is_one_team(public, rules)


@leaf
def targets_of_effect(public, own, rules, seat, effect):
    """DM-C01 … DM-C26: whom a card may name (OP-11, DM-R9)."""
    alive = living(public)
    if effect == BAD_MOON_RISING or effect == POLTERGEIST:
        return NOBODY_BIT
    if effect == CEMETARY:
        return alive if with_some(public.buried_size, ghosts(public)) != 0 else NOTHING
    if effect == THE_EAST_WIND or effect == SEANCE:
        if count_living(public) < 2:
            return NOTHING
        return alive if effect == THE_EAST_WIND else with_some(public.hand_size, alive)
    if effect == DESICRATE_GRAVE or effect == ROB_GRAVE:
        return with_some(public.buried_size, ghosts(public) & ~(1 << seat))
    if effect == DECAY:
        return with_cards_in_play(public, alive)
    if effect == LAST_TESTAMENT:
        if public.buried_size[seat] == 0:
            return NOTHING
        return alive | ghosts(public) & ~(1 << seat) if rules.dm_last_testament_ghosts != 0 else alive
    if effect == IN_MEMORIAM:
        killer = np.int64(public.killer[seat])
        return alive & ~(1 << killer) if killer >= 0 else alive
    if effect == GUILTY_CONSCIENCE:
        return alive & np.int64(public.killed)
    if effect == POSSESS:
        return with_some(public.hand_size, alive)
    if effect == TERRIFY:
        return with_some(public.hand_size, alive) | with_some(public.effects_in_play, alive)
    if effect == SYPHON:
        return ghosts_with_cards(public) & ~(1 << seat)
    if effect == UNFINISHED_BUSINESS:
        return unfinished_targets(public, own, rules, seat)
    return alive


@leaf
def unfinished_targets(public, own, rules, seat):
    """DM-C26, OP-69: the last one he attacked, else somebody whom his role obliges him to eliminate."""
    alive = living(public)
    last = np.int64(public.last_attacked[seat])
    if last >= 0 and last < SEATS:
        if alive >> last & 1 != 0:
            return np.int64(1) << last
    if rules.dm_unfinished_business_fallback != 0:
        return alive & np.int64(own.obliged)
    role = public.known_role[seat]
    sheriff = np.int64(public.sheriff)
    if role == RENEGADE or sheriff < 0:
        return alive
    if role == OUTLAW:
        return alive & 1 << sheriff
    friends = np.int64(1) << sheriff
    for other in range(SEATS):
        if public.known_role[other] == DEPUTY:
            friends |= 1 << other
    return alive & ~friends


@leaf
def ghosts_with_cards(public):
    """DM-42, DM-43: the ghosts who hold Dead Men's cards."""
    return with_some(public.dead_hand_size, ghosts(public))


@leaf
def with_cards_in_play(public, seats):
    found = seats & 0
    while seats != 0:
        seat = lowest(seats)
        seats &= seats - 1
        for w in range(WORDS):
            if public.in_play[seat, w] != 0:
                found |= 1 << seat
    return found


@leaf
def may_warn_for(public, rules, protected):
    """OP-27: whom the conversion of a Deputy may protect."""
    if rules.dm_deputy_warn_target == 0:
        return True
    return protected == (public.sheriff if rules.dm_deputy_warn_target == 1 else public.dealt_sheriff)


@leaf
def may_return(public, rules):
    """OP-34: whether a dead Renegade may still come back as a Zombie."""
    if DEATH_MESA:
        dead = ((1 << np.int64(public.players)) - 1) & ~living(public)  # who has just died is no ghost yet
        if rules.dm_renegade_return != ZOMBIE_RETURN:
            return False
        while dead != 0:
            seat = lowest(dead)
            dead &= dead - 1
            if public.known_role[seat] != RENEGADE:
                continue
            if rules.dm_zombie_max_returns == 0 or public.returns[seat] < rules.dm_zombie_max_returns:
                return True
    return False
