"""Runs each `console` block of the documents and compares what it shows: `python3 readme_test.py PROGRAM`.

A block has lines `$ COMMAND`, each followed by its output. `build/vecusim` stands for the program under test. A line `…`
stands for any number of lines, and `…` within a line for any text. A command that is to end with another status than 0
says so: `$ COMMAND  # exit status 1`. With `--write` after PROGRAM, blocks without `…` get the output of today.
"""

import contextlib
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[1]
DOCUMENTS = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"\$ (.*?)(?:  # exit status (\d+))?")


def pattern(lines):
    text = "".join("(?:.*\n)*?" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines)
    return re.compile(text)


def commands(block):
    """Command, expected status, and the lines of the output."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            command, status = COMMAND.fullmatch(line).groups()
            found.append((command, int(status or 0), []))
        else:
            found[-1][2].append(line)
    return found


@contextlib.contextmanager
def workplace():
    """A folder in which commands run as in the root of the project, and may write to out/."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "build").mkdir()
        (folder / "out").mkdir()
        (folder / "build/vecusim").symlink_to(program)
        for shared in ("scenarios", "validation", "tests"):
            (folder / shared).symlink_to(SOURCE / shared)
        yield folder


def run(command, folder):
    """Status, standard output without blanks at the ends of lines, and standard error."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, timeout=600)
    return done.returncode, re.sub(" +$", "", done.stdout, flags=re.M), done.stderr


class Documents(unittest.TestCase):
    maxDiff = None

    def run_block(self, block, folder):
        for command, status, lines in commands(block):
            ended, output, error = run(command, folder)
            self.assertEqual(ended, status, f"{command}\n{error}")
            if not pattern(lines).fullmatch(output):
                self.assertEqual("".join(line + "\n" for line in lines), output, command)

    def test_every_console_block_shows_what_comes(self):
        blocks = 0
        with workplace() as folder:
            for document in DOCUMENTS:
                for block in BLOCK.findall(document.read_text()):
                    with self.subTest(f"{document.name}: {block.splitlines()[0]}"):
                        self.run_block(block, folder)
                    blocks += 1
        self.assertGreater(blocks, 0)

    def test_every_link_to_a_file_leads_somewhere(self):
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")

    def test_every_file_and_rule_that_a_case_names_is_there(self):
        sources = "".join(path.read_text() for path in (SOURCE / "src/system").glob("lint_*.cpp"))
        cases = (SOURCE / "docs/cases.md").read_text()
        for name in re.findall(r"`((?:tests|scenarios|validation)/[^`]+)`", cases):
            self.assertTrue((SOURCE / name).exists(), name)
        for rule in re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`", cases):
            self.assertIn(f'"{rule}"', sources, rule)


def rewritten(block, folder):
    if "…" in block.splitlines():
        return block
    text = ""
    for command, status, _ in commands(block):
        text += f"$ {command}" + (f"  # exit status {status}" if status else "") + "\n" + run(command, folder)[1]
    return text


def write():
    with workplace() as folder:
        for document in DOCUMENTS:
            text = document.read_text()
            document.write_text(BLOCK.sub(lambda found: f"```console\n{rewritten(found[1], folder)}```", text))


if __name__ == "__main__":
    program = pathlib.Path(sys.argv.pop(1)).resolve()
    if sys.argv[1:] == ["--write"]:
        write()
    else:
        unittest.main(verbosity=1)
