"""Tables of rates with bars: what a bar shows, and when there is none."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from sim.reports.bars import ASCII, BLOCKS, LEAST_WIDTH, MOST_WIDTH, Rate, RateTable, axis, bar, scale

CELLS = ("name", "1,000", "30.0 %", "20.0 – 40.0 %")
RATE = Rate(0.2, 0.3, 0.4)
NEEDED = sum(map(len, CELLS)) + 2 * len(CELLS)


def rendered(columns, encoding="utf-8", rate=RATE, **more):
    table = RateTable(("a", "of", "rate", "interval"), **more)
    table.add(CELLS, rate)
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, errors="strict")
    Console(file=file, width=columns).print(table, crop=False)
    file.flush()
    return raw.getvalue().decode(encoding).splitlines()


@pytest.mark.parametrize(
    ("rate", "expected"),
    [
        (Rate(0.2, 0.3, 0.4), "████▓▓░░"),
        (Rate(0.2, 0.21, 0.22), "████▓"),
        (Rate(0.0, 0.0, 0.001), "▓"),
        (Rate(0.999, 1.0, 1.0), "███████████████████▓"),
        (Rate(0.0, 0.5, 1.0), "▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░"),
    ],
)
def test_a_bar_is_as_long_as_the_rate_with_its_interval_in_it(rate, expected):
    assert bar(rate, 1.0, 20, BLOCKS) == expected


def test_bars_of_a_table_have_one_scale_that_holds_all_intervals():
    assert scale([Rate(0.1, 0.2, 0.3)]) == 0.3
    assert scale([Rate(0.0, 0.004, 0.0101), Rate(0.0, 0.0, 0.001)]) == 0.02
    assert scale([Rate(0.9, 0.95, 0.99)]) == 1.0
    assert axis(0.3, 10) == "0     30 %"
    assert bar(Rate(0.1, 0.2, 0.3), 0.4, 40, ASCII) == "#" * 10 + "=" * 10 + "-" * 10


@pytest.mark.parametrize("columns", [NEEDED - 10, NEEDED, NEEDED + 1 + LEAST_WIDTH])
def test_without_room_there_are_no_bars_and_the_numbers_stay_whole(columns):
    lines = rendered(columns)
    assert len(lines) == 2
    assert all(cell in lines[1] for cell in CELLS)
    assert not set("".join(BLOCKS)) & set(lines[1])


@pytest.mark.parametrize(("columns", "width"), [(NEEDED + 2 + LEAST_WIDTH, LEAST_WIDTH), (200, MOST_WIDTH)])
def test_with_room_there_is_a_bar_of_that_width(columns, width):
    heading, row = rendered(columns)
    assert heading.rstrip().endswith(axis(0.4, width))
    assert bar(Rate(0.2, 0.3, 0.4), 0.4, width, BLOCKS) in row
    assert len(row) <= columns


@pytest.mark.parametrize(("encoding", "characters"), [("utf-8", "█▓░"), ("cp437", "█▓░"), ("latin-1", "#=-")])
def test_characters_are_those_that_the_terminal_can_show(encoding, characters, monkeypatch):
    monkeypatch.setattr("test_bars.CELLS", ("name", "1,000", "30.0 %", "20.0 - 40.0 %"))
    row = rendered(100, encoding)[1]
    assert all(character in row for character in characters)


def test_a_legend_stands_under_bars_only():
    assert rendered(100, legend=True)[-1].startswith("Bars: █ up to the interval")
    assert len(rendered(NEEDED, legend=True)) == 2


def test_what_is_not_known_has_no_bar():
    nan = float("nan")
    assert rendered(100, rate=Rate(nan, nan, nan))[1].rstrip().endswith("40.0 %")
    assert rendered(100, rate=None)[1].rstrip().endswith("40.0 %")
