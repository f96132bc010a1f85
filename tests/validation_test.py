"""Judges every validation case, and requires that docs/validation.md is what comes: `python3 validation_test.py PROGRAM`."""

import difflib
import pathlib
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs/validation.md"


def main(program):
    judged = subprocess.run([program, "validate", "--markdown"], stdout=subprocess.PIPE, text=True)
    print(judged.stdout)
    committed = PAGE.read_text() if PAGE.exists() else ""
    if judged.returncode == 0 and judged.stdout != committed:
        print(f"{PAGE.name} is not current; `build/vecusim validate --markdown > docs/validation.md` makes it so:")
        sys.stdout.writelines(difflib.unified_diff(committed.splitlines(True), judged.stdout.splitlines(True), "committed", "today"))
        return 1
    return judged.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
