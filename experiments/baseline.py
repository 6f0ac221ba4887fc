"""The baseline: who wins BANG! and Death Mesa, with 4 to 8 players, under both presets, played by ``standard``.

    python experiments/baseline.py            200,000 games a cell: minutes
    python experiments/baseline.py 2000 /tmp  fewer games, another folder

Writes baseline.csv (a row for each cell and metric), baseline.png, README.md (the table for people) and manifest.json.
The same version with the same numbers of games writes the same baseline.csv.
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path

import pandas

import sim

STRATEGY = "standard"
SEED = 20111007
GAMES = 200_000
PLAYERS = range(4, 9)
PRESETS = ("seed", "official")
GAMES_PLAYED = {"BANG!": "", "with Death Mesa": "death_mesa"}
GROUPS = ("ending", "team", "role")
MORE = (
    "turns", "eliminated_before_first_turn", "waiting", "scofflaw.per_renegade", "scofflaw.won", "vengeance.won",
    "ghosts.kills",
)  # fmt: skip
TEAMS = {"law": "#0072B2", "outlaws": "#D55E00", "renegade": "#009E73"}
FOLDER = Path(__file__).parents[1] / "results" / "baseline"


def play(games: int) -> tuple[pandas.DataFrame, dict[str, int]]:
    """All cells as a tidy table, and how many games did not end and answers were not legal (both should be 0)."""
    cells, doubtful = [], {"unfinished": 0, "illegal": 0}
    for preset in PRESETS:
        for name, expansions in GAMES_PLAYED.items():
            for players in PLAYERS:
                rules = {"preset": preset, "players": players, "expansions": expansions}
                result = sim.run(rules=rules, strategies=STRATEGY, games=games, seed=SEED)
                doubtful["unfinished"] += result.tallies.unfinished
                doubtful["illegal"] += result.tallies.illegal
                table = result.to_pandas()
                table = table[(table["group"].isin(GROUPS) | table["name"].isin(MORE)) & (table["denominator"] > 0)]
                cells.append(table.assign(preset=preset, game=name, players=players))
                print(f"{name}, preset {preset}, {players} players: {result.games_per_s:,.0f} games/s", file=sys.stderr)
    columns = ["preset", "game", "players", "name", "numerator", "denominator", "estimate", "low", "high", "method"]
    return pandas.concat(cells)[columns].rename(columns={"name": "metric"}), doubtful


def draw(table: pandas.DataFrame, path: Path) -> None:
    """A panel for each preset: what each team wins, with and without Death Mesa, by the number of players."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.lines import Line2D

    figure, panels = pyplot.subplots(1, len(PRESETS), figsize=(10, 4.4), sharey=True, layout="constrained")
    for panel, preset in zip(panels, PRESETS, strict=True):
        for game, style in zip(GAMES_PLAYED, ("--", "-"), strict=True):
            for team, colour in TEAMS.items():
                rows = table[
                    (table.preset == preset) & (table.game == game) & (table.metric == f"win_rate.team.{team}")
                ]
                panel.plot(rows.players, 100 * rows.estimate, style, color=colour, marker="o", markersize=4)
                panel.fill_between(rows.players, 100 * rows.low, 100 * rows.high, color=colour, alpha=0.2, lw=0)
        panel.set(title=f"preset {preset}", xlabel="players", xticks=list(PLAYERS), ylim=(0, None))
        panel.grid(color="#DDDDDD", linewidth=0.6)
        panel.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("games won by a member, %")
    names = [Line2D([], [], color=colour, label=team) for team, colour in TEAMS.items()]
    lines = zip(GAMES_PLAYED, ("--", "-"), strict=True)
    names += [Line2D([], [], color="#222222", linestyle=style, label=game) for game, style in lines]
    figure.legend(handles=names, loc="outside lower center", ncols=len(names), frameon=False)
    figure.savefig(path, dpi=130, metadata={"Software": None})


def for_people(table: pandas.DataFrame, games: int) -> str:
    """The table of the teams in Markdown."""
    lines = [
        "# Baseline",
        "",
        f"What each team wins when everybody plays `{STRATEGY}`: {games:,} games a cell, seed {SEED}, 95 % intervals.",
        "Written by `python experiments/baseline.py`; `baseline.csv` has all figures.",
        "",
        "![Wins of the teams by the number of players](baseline.png)",
        "",
        "| preset | game | players | law | outlaws | renegade |",
        "|---|---|---|---|---|---|",
    ]
    for (preset, game, players), cell in table.groupby(["preset", "game", "players"], sort=False):
        rates = cell.set_index("metric")
        cells = []
        for team in TEAMS:
            row = rates.loc[f"win_rate.team.{team}"]
            cells.append(f"{100 * row.estimate:.1f} ± {50 * (row.high - row.low):.1f} %")
        lines.append(f"| {preset} | {game} | {players} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(number: str = str(GAMES), place: str = str(FOLDER)) -> None:
    if not number.isdecimal():
        raise sim.UserError(f"{number!r} is no number of games; write for example: python experiments/baseline.py 2000")
    games, folder = int(number), Path(place)
    folder.mkdir(parents=True, exist_ok=True)
    table, doubtful = play(games)
    table.to_csv(folder / "baseline.csv", index=False, float_format="%.6f")
    draw(table, folder / "baseline.png")
    (folder / "README.md").write_text(for_people(table, games), encoding="utf-8")
    manifest = {
        "command": f"python experiments/baseline.py {games}",
        "version": sim.__version__,
        "strategy": STRATEGY,
        "seed": SEED,
        "games_a_cell": games,
        **doubtful,
        "machine": platform.machine(),
        "python": platform.python_version(),
    }
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:3])
    except (sim.UserError, OSError) as error:
        sys.exit(f"baseline: {error}")
