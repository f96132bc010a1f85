"""What the tests of the package share: the program whose documents they compare with."""

import os
import subprocess

import pytest

PROGRAM = os.environ["VECUSIM"]


def program(*arguments, status=0, stdin=None):
    """What the program prints on standard output."""
    done = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    return done.stdout


@pytest.fixture(name="program")
def program_fixture():
    return program
