"""What the documents say of the package is so: docstrings, docs/python.md and the tutorial are run."""

import doctest
import importlib
import pathlib
import subprocess
import sys

import pytest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["vecusim.scenarios", "vecusim.results", "vecusim.sweeps", "vecusim.policies", "vecusim.judging"]


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0


def test_the_page(monkeypatch):
    monkeypatch.chdir(SOURCE)
    outcome = doctest.testfile(str(SOURCE / "docs/python.md"), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert outcome.failed == 0 and outcome.attempted > 5


def test_the_tutorial(tmp_path):
    pytest.importorskip("matplotlib")
    done = subprocess.run([sys.executable, str(SOURCE / "docs/tutorial.py")], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ratelimit.png").stat().st_size > 1000
    assert "identified" in done.stdout


def test_everything_public_is_described():
    import vecusim

    for name in vecusim.__all__:
        assert getattr(vecusim, name).__doc__, name
