"""Plays an experiment: what is missing of each cell, on whatever workers there are, kept on disk as it comes.

A study that was stopped or killed goes on where it was, one with more games plays only those that are missing, and
parts of it that were played elsewhere can be copied in. All of them end in the same tables.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from sim.errors import UserError
from sim.game import ENDING, SHARE, Compiling, Metric, Rules, Tallies
from sim.services import compiling, parts, precision, stopping
from sim.services.differences import DEFAULT_WIDTH
from sim.services.executor import Batch, Crew, Done, Workers
from sim.services.experiment import Cell, Experiment, shared_metrics
from sim.services.paired import Pairs
from sim.services.parts import Part, Task, cell_key
from sim.services.setups import Setup
from sim.services.statistics import anytime_interval
from sim.services.store import Store
from sim.services.until import Until

BATCH_SECONDS = 0.5
"""About so long is what goes to a worker together, once it is known how fast games are."""

FIRST_BATCH_GAMES = 4096
MOST_GROWTH = 4.0
BATCH_CELLS = 64

FLUSH_SECONDS, FLUSH_SHARE, MOST_FLUSH_SECONDS = 0.2, 0.01, 5.0
"""How often what was played is written: whoever kills a long run loses a hundredth of it, and at most five seconds."""

COMPARED_GROUPS = (ENDING, "role", "team", "game")
"""Groups of the metrics that pairs are summed up for; those of the report come to them."""


@dataclass
class Progress:
    """How far a study is: games and cells."""

    games: int
    games_asked: int
    cells_done: int
    cells: int


Tell = Callable[[Progress], None]


@dataclass
class Total:
    """What the first games of a cell add up to; with a baseline, also those of the baseline and of their pairs."""

    tallies: Tallies
    baseline: Tallies | None = None
    pairs: Pairs | None = None

    @property
    def sides(self) -> list[Tallies]:
        """The games of the cell, and those of the baseline if there is one."""
        return [side for side in (self.tallies, self.baseline) if side is not None]

    def add(self, part: Part) -> None:
        """Adds a part, in place."""
        self.tallies.add(part.tallies)
        if self.baseline is not None and self.pairs is not None:
            assert part.baseline is not None and part.pairs is not None
            self.baseline.add(part.baseline)
            self.pairs.add(part.pairs)


@dataclass
class Played:
    """A cell with how many games it has, and why it ended: ``reached`` is False if ``max_games`` came first."""

    cell: Cell
    key: str
    games: int = 0
    done: bool = False
    reached: bool = True
    limits: tuple[float, float] = (math.nan, math.nan)
    """Of the metric of the goal, while cells race."""


class _Pace:
    """How many games a batch has: at first few, then as many as take about ``BATCH_SECONDS``."""

    def __init__(self) -> None:
        self.games = FIRST_BATCH_GAMES

    def learn(self, done: Done) -> None:
        """Takes into account how long a batch took."""
        games = sum(part.count for part in done.parts)
        if games:
            fitting = games * BATCH_SECONDS / max(done.seconds, 1e-6)
            self.games = max(1, int(min(fitting, MOST_GROWTH * self.games)))


class _Left:
    """The games that are still to be played, by the key of their cell."""

    def __init__(self, games: dict[str, int]) -> None:
        self.games = games
        self.total = sum(games.values())

    def take(self, found: Sequence[Part]) -> int:
        """Takes off what came; returns how many games that were."""
        for part in found:
            self.games[part.key] -= part.count
            if self.games[part.key] == 0:
                del self.games[part.key]
        played = sum(part.count for part in found)
        self.total -= played
        return played


@dataclass
class Study:
    """One experiment with its results folder."""

    experiment: Experiment
    folder: Path
    workers: Workers
    tell: Tell | None = None
    until: Until | None = None
    played: list[Played] = field(default_factory=list)
    interrupted: bool = False
    seconds: float = 0.0
    new_games: int = 0
    _pace: _Pace = field(default_factory=_Pace)

    def __post_init__(self) -> None:
        self.played = [
            Played(cell, cell_key(cell.setup, cell.seed, cell.baseline, self.compared(cell)))
            for cell in self.experiment.cells
        ]

    @cached_property
    def store(self) -> Store:
        """The parts on disk."""
        return Store(self.folder)

    def compared(self, cell: Cell) -> tuple[str, ...]:
        """The metrics of which pairs of games are summed up: those that cell and baseline both have."""
        file = self.experiment.file
        asked = {*file.report.metrics, *(() if file.goal is None else (file.goal.metric,))}
        shared = shared_metrics(self.experiment.game, cell)
        return tuple(name for name, metric in shared.items() if metric.group in COMPARED_GROUPS or name in asked)

    def play(self) -> None:
        """Plays what is missing. After Ctrl-C ``interrupted`` is true, and what was played is kept.

        Raises UserError for set-ups that cannot be played, a disk that cannot be written, and lost workers.
        """
        started = time.perf_counter()
        try:
            with Crew(self.workers, self.store.folder) as crew, stopping.first_interrupt(crew.stop):
                if self.experiment.wanted is None and not self.stops_early:
                    self._play_to(crew, self.played, self.experiment.games, last=True)
                else:
                    self._play_by_looks(crew)
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            self.store.flush()
            self.seconds = time.perf_counter() - started
        for each in self.played:
            if not each.done:
                each.games = self._there(each.key, self.experiment.games)
        if not self.interrupted:
            self.store.compact({each.key: each.cell.number for each in self.played})

    def close(self) -> None:
        """Lets other programs into the results folder."""
        if "store" in self.__dict__:
            self.store.close()

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def total(self, each: Played) -> Total:
        """What the games of a cell add up to."""
        whole: Total | None = None
        for part in self.store.parts(each.key, each.games):
            if whole is None:
                whole = self._empty(each.cell)
            whole.add(part)
        return whole or self._empty(each.cell)

    def so_far(self, each: Played) -> Total | None:
        """What a cell adds up to that is finished while others are still played; None for one that is not."""
        games = each.games if each.done else self.experiment.games
        whole = each.done or self._there(each.key, games) == games
        return self.total(replace(each, games=games)) if whole else None

    def doubts(self) -> tuple[int, int]:
        """How many games came to no end and how many answers were not legal, those of baselines among them."""
        played = [side for each in self.played for side in self.total(each).sides]
        return sum(side.unfinished for side in played), sum(side.illegal for side in played)

    def _empty(self, cell: Cell) -> Total:
        game = self.experiment.game

        def tallies(rules: Rules) -> Tallies:
            return Tallies.empty(len(game.metrics(rules)), len(game.endings(rules)) + len(game.moments(rules)))

        if cell.baseline is None:
            return Total(tallies(cell.setup.rules))
        pairs = Pairs.empty(len(self.compared(cell)))
        return Total(tallies(cell.setup.rules), tallies(cell.baseline.rules), pairs)

    def _there(self, key: str, games: int) -> int:
        """How many games from the first on are there without a gap."""
        gaps = self.store.gaps(key, games)
        return gaps[0][0] if gaps else games

    def prepare(self, told: Compiling | None = None) -> None:
        """Compiles once, here, what the cells need: workers find it on disk, and mistakes are told before play.

        ``told`` is called before anything is compiled. Raises UserError.
        """
        kinds: dict[object, Setup] = {}
        for each in self.played:
            for setup in (each.cell.setup, each.cell.baseline):
                if setup is not None:
                    kind = (setup.rules.expansions, tuple(sorted(map(str, setup.strategies.items()))))
                    kinds.setdefault(kind, setup)
        compiling.prepare(list(kinds.values()), told)

    def _play_to(self, crew: Crew, cells: Sequence[Played], games: int, last: bool) -> None:
        """Plays what these cells miss of their first games. Raises KeyboardInterrupt once the crew was stopped."""
        different = {each.key: each.cell for each in cells}  # cells that are the same are played once
        gaps = {key: found for key in different if (found := self.store.gaps(key, games))}
        left = _Left({key: sum(count for _, count in ranges) for key, ranges in gaps.items()})
        asked = games * len(different)
        started = flushed = time.perf_counter()
        for done in crew.stream(self._batches(different, gaps)):
            self._pace.learn(done)
            self.store.add(done.parts)
            self.new_games += left.take(done.parts)
            now = time.perf_counter()
            if now - flushed > min(MOST_FLUSH_SECONDS, max(FLUSH_SECONDS, FLUSH_SHARE * (now - started))):
                self.store.flush()
                flushed = time.perf_counter()
            if self.tell is not None:
                finished = len(different) - len(left.games)
                self.tell(Progress(asked - left.total, asked, finished, len(different)))
        self.store.flush()
        if crew.stopped:
            raise KeyboardInterrupt
        assert not left.games, "workers brought back fewer games than they were sent"
        for each in cells:
            each.games, each.done = games, last

    def _batches(self, cells: Mapping[str, Cell], gaps: Mapping[str, Sequence[tuple[int, int]]]) -> Iterator[Batch]:
        """What is missing as tasks, so many together that sending them costs nothing to speak of."""
        few = max(1, sum(count for ranges in gaps.values() for _, count in ranges) // (4 * self.workers.count))
        batch: list[Task] = []
        games = 0
        for key, ranges in gaps.items():
            cell, compared = cells[key], self.compared(cells[key])
            for first, count in (chunk for gap in ranges for chunk in parts.chunks(*gap)):
                batch.append(Task.of(key, cell.setup, cell.seed, first, count, cell.baseline, compared))
                games += count
                if games >= min(few, self._pace.games) or len(batch) == BATCH_CELLS:
                    yield batch
                    batch, games = [], 0
        if batch:
            yield batch

    @property
    def stops_early(self) -> bool:
        """Whether cells end when they are known well enough, so that their intervals have to hold at every look."""
        goal = self.experiment.file.goal
        return self.until is not None or (goal is not None and goal.racing)

    @property
    def anytime(self) -> float | None:
        """Where the limits of differences are to be tightest if they have to hold at every look, else None."""
        if self.until is not None:
            return self.until.by
        if self.experiment.wanted is not None:
            return self.experiment.wanted.half_width
        return DEFAULT_WIDTH if self.stops_early else None

    def _play_by_looks(self, crew: Crew) -> None:
        """Plays until each cell is known as exactly as asked for, or cannot matter any more.

        The looks are at fixed numbers of games, whatever else: where a cell ends depends on the experiment alone.
        """
        left = list(self.played)
        for look in precision.looks(self.experiment.games):
            self._play_to(crew, left, look, last=False)
            self._decide(left)
            left = [each for each in left if not each.done]
            if not left:
                break
        for each in left:
            each.done, each.reached = True, False

    def _decide(self, cells: Sequence[Played]) -> None:
        """Ends the cells that are known well enough."""
        totals = {each.key: self.total(each) for each in cells}
        wanted = self.experiment.wanted
        if self.until is not None:
            for each in cells:
                pairs = totals[each.key].pairs
                each.done = pairs is not None and self.until.is_decided(pairs, self.compared(each.cell))
        elif wanted is not None:
            for each in cells:
                declared = self.experiment.game.metrics(each.cell.setup.rules)
                each.done = precision.widest_of(wanted, declared, totals[each.key].tallies.sums)[1] <= wanted.half_width
        else:
            self._race(cells, totals)

    def _race(self, cells: Sequence[Played], totals: Mapping[str, Total]) -> None:
        """Ends the cells that are clearly off the goal, or whose side of it is clear."""
        goal = self.experiment.file.goal
        assert goal is not None
        for each in cells:
            each.limits = self._limits(each, totals[each.key], goal.metric)
        known = [each.limits for each in self.played if not math.isnan(each.limits[0])]
        for each in cells:
            low, high = each.limits
            if goal.target == "highest":
                each.done = bool(known) and high < max(found[0] for found in known)
            elif goal.target == "lowest":
                each.done = bool(known) and low > min(found[1] for found in known)
            else:
                each.done = not low <= goal.target <= high and not math.isnan(low)
        if isinstance(goal.target, str) and sum(not each.done for each in self.played) == 1:
            for each in cells:
                each.done = True

    def _limits(self, each: Played, total: Total, metric: str) -> tuple[float, float]:
        declared = self.experiment.game.metrics(each.cell.setup.rules)
        row = place(declared, metric)
        interval = anytime_interval([int(s) for s in total.tallies.sums[row]], bounded=declared[row].unit == SHARE)
        return interval.low, interval.high


def place(declared: Sequence[Metric], name: str) -> int:
    """The row of a metric. Raises UserError if a cell does not have it."""
    for row, metric in enumerate(declared):
        if metric.name == name:
            return row
    raise UserError(f"metric {name}: not every cell has it, so cells cannot be judged by it")
