"""Set-ups that travel: with the text of every file, under a key that says all that the games depend on."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import studied
import watched
from studied import asked, of

from sim.bang.cards import load_cards
from sim.bang.game import BANG
from sim.errors import UserError
from sim.kernel import storage
from sim.services import setups
from sim.services.executor import Workers
from sim.services.setups import setup
from sim.services.study import Study

DECK = Path(setups.__file__).parents[1] / "bang" / "data" / "cards_bang_base.csv"
SIMPLE = {"default": "simple"}
BOLD = 'def bold(rank):\n    return "swap" if rank < 12 else "keep"\n'


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own; files that were laid down in another one are forgotten."""
    folder = tmp_path / "cache"
    monkeypatch.setenv(storage.CACHE_VARIABLE, str(folder))
    setups._laid_down.cache_clear()
    return folder


def short_deck(folder: Path) -> Path:
    """The base deck without its last card."""
    folder.mkdir(exist_ok=True)
    path = folder / "mine.csv"
    path.write_text("".join(DECK.read_text().splitlines(keepends=True)[:-1]))
    return path


def test_a_deck_travels_as_text(tmp_path: Path) -> None:
    path = short_deck(tmp_path)
    made = setup(BANG, {"deck": str(path)}, SIMPLE)
    path.unlink()
    there = pickle.loads(pickle.dumps(made))
    assert len(load_cards(there.rules).kind) == len(load_cards(BANG.resolve({})).kind) - 1
    assert there.content == made.content


def test_a_mistake_in_a_file_that_travelled_is_told_by_the_users_path() -> None:
    made = setups.Setup("bang", {"cards": "/home/me/bad.csv"}, SIMPLE, {"cards": "card,range\nWinchestr,7\n"})
    with pytest.raises(UserError, match="^/home/me/bad.csv:2: unknown card 'Winchestr'"):
        made.session()


def test_what_a_deck_says_counts_and_not_where_it_lies(tmp_path: Path) -> None:
    one, other = (setup(BANG, {"deck": str(short_deck(tmp_path / name))}, SIMPLE) for name in ("a", "b"))
    assert one.content == other.content != setup(BANG, {}, SIMPLE).content
    path = short_deck(tmp_path / "b")
    path.write_text("".join(DECK.read_text().splitlines(keepends=True)[:-2]))
    assert setup(BANG, {"deck": str(path)}, SIMPLE).content != one.content


def test_files_are_found_beside_the_experiment(tmp_path: Path) -> None:
    short_deck(tmp_path / "a")
    assert setup(BANG, {"deck": "mine.csv"}, SIMPLE, tmp_path / "a").files["deck"]
    with pytest.raises(UserError, match="mine.csv"):
        setup(BANG, {"deck": "mine.csv"}, SIMPLE, tmp_path / "b")


def test_two_files_of_one_name_are_kept_apart_and_damage_is_put_right(tmp_path: Path, cache: Path) -> None:
    made = [setup(BANG, {"deck": str(short_deck(tmp_path / name))}, SIMPLE) for name in ("a", "b")]
    longer = setup(BANG, {"deck": str(DECK)}, SIMPLE)
    assert len({one.rules["deck"] for one in made}) == 1
    assert longer.rules["deck"] != made[0].rules["deck"]
    laid = Path(made[0].rules["deck"])
    assert laid.is_relative_to(cache)
    laid.write_text("noise")
    setups._laid_down.cache_clear()
    there = pickle.loads(pickle.dumps(made[0]))
    assert Path(there.rules["deck"]).read_text() == made[0].files["deck"]


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path, cache: Path) -> None:
    made = setup(BANG, {"deck": str(short_deck(tmp_path))}, SIMPLE)
    cache.write_text("a file")
    with pytest.raises(UserError, match=f"cannot be written.*{storage.CACHE_VARIABLE}"):
        assert made.rules


def test_a_strategy_travels_to_workers_as_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(BOLD)
    experiment = asked(strategies={"default": "careful", "guest": "mine.py:bold"}, sweep={"players": [3, 4]})
    studied.run(experiment, tmp_path / "here")
    with Study(of(experiment), tmp_path / "there", Workers("dask", 2)) as study:
        Path("mine.py").unlink()
        study.play()
        assert study.new_games == 2 * studied.GAMES
        totals = [study.total(each).tallies.sums.tolist() for each in study.played]
    Path("mine.py").write_text(BOLD)
    with Study(of(experiment), tmp_path / "here", Workers()) as study:
        study.play()
        assert study.new_games == 0
        assert totals == [study.total(each).tallies.sums.tolist() for each in study.played]
    with Study(of(asked(sweep={"players": [3, 4]})), tmp_path / "other", Workers()) as study:
        study.play()
        assert totals != [study.total(each).tallies.sums.tolist() for each in study.played]


def test_the_key_says_all_that_games_depend_on(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BOLD)
    players = {"default": "careful", "guest": f"{path}:bold"}
    first = setup(watched.WATCHED, {"players": 3}, players)
    assert setup(watched.WATCHED, {"players": "3"}, players).content == first.content
    assert setup(watched.WATCHED, {"players": 4}, players).content != first.content
    assert setup(watched.WATCHED, {"players": 3}, {"default": "careful"}).content != first.content
    assert setup(BANG, {}, {"default": "simple,mistakes=0.1"}).content != setup(BANG, {}, SIMPLE).content
    path.write_text(BOLD.replace("12", "11"))
    assert setup(watched.WATCHED, {"players": 3}, players).content != first.content


def test_other_sources_of_the_game_have_another_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = setups.core_digest("watched")
    source = tmp_path / "watched.py"
    source.write_text(Path(watched.__file__).read_text() + "\n")
    monkeypatch.setattr(watched, "__file__", str(source))
    setups.core_digest.cache_clear()
    try:
        assert setups.core_digest("watched") != before
    finally:
        monkeypatch.undo()
        setups.core_digest.cache_clear()
    assert setups.core_digest("watched") == before
