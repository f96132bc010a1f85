"""How the command-line tests call the program: `python3 TEST.py PROGRAM` runs one file of tests against it."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
VERBS = ["run", "sweep", "merge", "calibrate", "validate", "compare", "report", "plan", "explain", "export", "check", "init", "list", "schema", "policy", "import"]

_program = None


def program():
    """The path of the program under test."""
    return _program


class Case(unittest.TestCase):
    """A test case with a folder of its own, in which the program runs."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def environment(self, **changes):
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LC_ALL")}
        return {**environment, **changes}

    def start(self, *arguments, **options):
        options.setdefault("cwd", self.folder)
        options.setdefault("env", self.environment())
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([_program, *arguments], **options)

    def vecusim(self, *arguments, stdin=b"", **options):
        """Status, standard output and standard error; the last two as text."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        with self.start(*arguments, stdin=subprocess.PIPE, **options) as process:
            try:
                output, error = process.communicate(stdin, timeout=300)
            except BaseException:
                process.kill()
                raise
        return process.returncode, (output or b"").decode(), (error or b"").decode()

    def data(self, *arguments, status=0, **options):
        """Standard output of a call that must end with `status` and say nothing else."""
        ended, output, error = self.vecusim(*arguments, **options)
        self.assertEqual((ended, error), (status, ""), output[:2000])
        return output

    def document(self, *arguments, **options):
        return json.loads(self.data(*arguments, **options))

    def assert_usage(self, expected, *arguments, **options):
        """A usage error: status 2, nothing on standard output, and this text on standard error."""
        ended, output, error = self.vecusim(*arguments, **options)
        self.assertEqual((ended, output), (2, ""), error)
        self.assertIn(expected, error)

    def assert_invalid(self, expected, *arguments, **options):
        """Invalid input: status 3, nothing on standard output, and this text on standard error."""
        ended, output, error = self.vecusim(*arguments, **options)
        self.assertEqual((ended, output), (3, ""), error[:2000])
        self.assertIn(expected, error)
        return error

    def preset(self, name="pi4-native"):
        """The scenario of a preset, to be changed."""
        return json.loads(self.data("init", name))

    def has_charts(self):
        """Whether the program was built with the charting library; else it must say how it is had."""
        self.data("run", "pi4-native", "-o", "charts")
        status, _, error = self.vecusim("report", "charts/result.json", "-o", "charts/report.html")
        if status != 0:
            self.assertEqual(status, 2, error)
            self.assertIn("bash scripts/charts", error)
        return status == 0

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, (dict, list)):
            content = json.dumps(content, indent=2)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def files(self):
        """Every file in the test's folder."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())


@contextlib.contextmanager
def terminal():
    """A pseudo terminal: its end for the program, and a function that reads what was written to it."""
    master, slave = os.openpty()

    def read():
        text = b""
        with contextlib.suppress(OSError):  # the end of a terminal's output is an error
            while chunk := os.read(master, 65536):
                text += chunk
        return text.decode()

    try:
        yield slave, read
    finally:
        os.close(master)


def main():
    global _program
    _program = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=1)
