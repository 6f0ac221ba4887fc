"""A strategy of your own. It shoots whoever its role wants dead, and plays every card that names nobody.

Try it:     scofflaw run --strategy simple --strategy outlaw={file}:decide
Tune it:    scofflaw run --strategy simple --strategy outlaw={file}:decide,reserve=2
Look at it: scofflaw trace --strategy {file}:decide
What it may read is listed by: scofflaw guide strategies
"""

from sim.bang.core.cards import first_card
from sim.bang.core.names import ANYBODY, BEER, END, NOBODY, NOBODY_BIT, OUTLAW, PLAY, answer
from sim.bang.core.questions import passive_answer, play_targets, seats_of_card, sheriff_mask
from sim.bang.core.seats import others
from sim.kernel.bits import lowest

# Numbers that can be set from outside: name, default, least, highest value, meaning.
WEIGHTS = (("reserve", 0, 0, 9, "so many hand cards he does not play"),)
RESERVE = 0


def decide(public, own, rules, tables):
    """The answer to own.question: a card, or END, PASS and so on, and the seat it is meant for."""
    if own.question.kind == PLAY:
        return play(public, own, rules, tables)
    card = first_card(own.question.cards)  # -1 if no card may be named
    if card >= 0:
        return answer(card, lowest(seats_of_card(own.question)))
    return passive_answer(own)


def play(public, own, rules, tables):
    """The first card that may be played on nobody or on a foe, else the end of the turn."""
    seat = own.seat
    reserve = tables.weights[own.strategy, RESERVE]
    for card in range(tables.cards + tables.dead_cards):
        wasted = tables.effect[card] == BEER and public.life[seat] == public.max_life[seat]
        targets = play_targets(public, own, rules, tables, card, ANYBODY) & (foes(public, own) | NOBODY_BIT)
        if targets != 0 and not wasted and public.hand_size[seat] > reserve:
            return answer(card, lowest(targets))
    return answer(END, NOBODY)


def foes(public, own):
    """A set of seats, bit s for seat s: the Sheriff for Outlaws, everybody but the Sheriff for the others."""
    sheriff = sheriff_mask(public)
    return sheriff if own.role == OUTLAW else others(public, own.seat) & ~sheriff
