"""Every command and every program in the README and the guide works, and prints what the README says."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = sorted((ROOT / "sim" / "guide").glob("*.md"))


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines()]
INSTALLING = [line for line in COMMANDS if "pip install" in line]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory) -> dict[str, str]:
    """What each command of the README prints, run one after the other in a folder that has only the experiments."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "experiments", folder / "experiments")
    return run_all([line for line in COMMANDS if line not in INSTALLING], folder)


def run_all(lines: list[str], folder: Path) -> dict[str, str]:
    """What commands print, run in this process: so they share its kernels, and wait for no start."""
    from sim.cli.app import app

    found = {}
    with contextlib.chdir(folder):
        for line in lines:
            command, *words = shlex.split(line)
            assert command == "scofflaw"
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as ended:
                app(words, prog_name=command)
            assert ended.value.code in (None, 0), f"{line}\n{out.getvalue()}{err.getvalue()}"
            found[line] = out.getvalue()
    return found


def run_programs(text: str, folder: Path) -> None:
    """Runs the programs of a text, one after the other."""
    with contextlib.chdir(folder):
        for program in blocks("python", text):
            exec(compile(program, "program", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("topic", GUIDE, ids=lambda path: path.stem)
def test_every_command_of_the_guide_works(topic, tmp_path):
    """In an empty folder, with the files that the topic says to save."""
    text = topic.read_text(encoding="utf-8")
    for name, content in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        assert f"`{name}`" in text
        (tmp_path / name).write_text(content, encoding="utf-8")
    lines = [line for block in blocks("sh", text) for line in block.splitlines()]
    assert lines and all(line.startswith("scofflaw ") for line in lines)
    assert all(run_all(lines, tmp_path).values())
    run_programs(text, tmp_path)
    options = set(re.findall(r"--plot (\S+)", " ".join(lines)))
    assert all((tmp_path / chart).stat().st_size for chart in options)


def test_every_command_is_run(outputs):
    assert len(outputs) > 15
    assert all(line.startswith("scofflaw ") for line in outputs)
    assert all(outputs.values())


def test_the_report_begins_as_shown(outputs):
    (shown,) = blocks("text")
    assert outputs["scofflaw run --games 200000"].startswith(shown)


def test_every_command_there_is_stands_in_the_readme(outputs):
    from sim.cli.app import app

    names = {command.callback.__name__ for command in app.registered_commands}
    names |= {group.name for group in app.registered_groups}
    assert {line.split()[1] for line in outputs} == names


def test_the_programs_run(tmp_path):
    for program in blocks("python"):
        subprocess.run([sys.executable, "-c", program], check=True, cwd=tmp_path)


def test_one_line_installs_and_runs_and_one_line_tests():
    assert len(INSTALLING) == 2
    assert INSTALLING[0].endswith("scofflaw run experiments/headline.toml")
    assert "pytest" in INSTALLING[1]
    first_screen = README.splitlines()[:30]
    assert all(line in first_screen for line in INSTALLING)
