"""The report of a benchmark for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sim.services.benchmark import Speed, Start
from sim.services.overhead import Cost


def lines(speed: Speed, start: Start | None) -> Iterator[str]:
    """One line a figure."""
    yield f"{speed.strategy}, {speed.players} players, {speed.games:,} games on {speed.threads} threads"
    yield f"{speed.games_per_s:,.0f} games/s ({speed.seconds:.2f} s)"
    yield f"{speed.turns_per_game:.1f} turns and {speed.decisions_per_game:.1f} decisions a game"
    yield f"{speed.ns_per_decision:.1f} ns a decision and thread"
    if start is not None:
        yield f"first start, compiling: {start.cold_start_seconds:.1f} s"
        yield f"later starts: {start.warm_start_seconds:.2f} s, of which"
        for what, seconds in start.warm_parts.items():
            yield f"  {what}: {seconds:.2f} s"
        if start.peak_memory_mb is not None:
            yield f"memory at most: {start.peak_memory_mb:,.0f} MB"


def costs(found: Iterable[Cost]) -> Iterator[str]:
    """One line a kind of workers, as soon as it is measured."""
    for cost in found:
        yield (
            f"{cost.backend}, {cost.count}: {cost.games_per_s:,.0f} games/s, {cost.share:.0%} of plain threads; "
            f"{cost.start_seconds:.1f} s until all are at work"
        )
