"""A ghost who does nothing: no player, but a bound for what others could reach if nobody got in their way."""

from sim.bang.core.questions import passive_answer


def decide(public, own, rules, tables):
    """Ends his turn and passes."""
    return passive_answer(own)
