#!/usr/bin/python3
"""Checks that every #include obeys the layers of docs/design.md, that heavy headers stay in their files, and that each
source file is short and opens with a sentence. Prints one line per breach; the self-test runs first, each time."""
import re
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

# What a layer may include, besides itself.
MAY_USE = {
    "engine": [],
    "models": ["engine"],
    "schedulers": [],  # and the two headers below: policies know neither hardware nor events
    "hypervisors": ["engine", "models", "schedulers"],
    "system": ["engine", "models", "schedulers", "hypervisors"],
    "analysis": ["engine", "models", "schedulers", "hypervisors", "system"],
    "app": ["engine", "models", "schedulers", "hypervisors", "system", "analysis"],
    "python-bindings": ["engine", "models", "schedulers", "hypervisors", "system", "analysis"],
}
SCHEDULERS_MAY_USE = ["engine/time.hpp", "engine/fields.hpp"]

# Headers that take a second or more to compile, and the files that may pay for them.
HEAVY = {
    "nlohmann/json.hpp": ["src/system/json*.cpp", "src/system/scenario*.cpp", "src/analysis/report*.cpp"],
    "boost/graph/*": ["src/models/interrupt_path.cpp"],
    "Eigen/*": ["src/analysis/calibrate_algebra.hpp"],
    "boost/program_options*": ["src/app/main.cpp"],
    "boost/math/*": ["src/engine/distribution.cpp", "src/analysis/statistics.cpp"],
    "Random123/*": ["src/engine/random.cpp", "tests/120_random.cpp"],
    "sqlite3.h": ["src/analysis/sweep*.cpp"],
    "pcap/*": ["src/system/read_capture.cpp"],
    "zlib.h": ["src/system/golden_text.cpp"],
    "pybind11/*": ["python-bindings/*"],
    "catch2/*": ["tests/catch.hpp", "tests/main.cpp"],
}

MOST_LINES = 400
LONGER = {  # each with the reason why it is one purpose all the same
    "src/analysis/bench_data.cpp": "one reader: three layouts of one table share its lines and problems",
}
MACHINE_PATH = re.compile(r"/(?:home|work|root)/\w")
INCLUDE = re.compile(r'\s*#\s*include\s*[<"]([^>"]+)[>"]')


def include_problems(file, layer, header):
    target = header.split("/")[0]
    if layer in MAY_USE and target in MAY_USE and target != layer and target not in MAY_USE[layer]:
        if not (layer == "schedulers" and header in SCHEDULERS_MAY_USE):
            yield f"{layer} must not include {header}"
    for pattern, files in HEAVY.items():
        if fnmatch(header, pattern) and not any(fnmatch(file, allowed) for allowed in files):
            yield f"{header} belongs in {' or '.join(files)} only"


def file_problems(file, text):
    """All (line, message) of one file, named relative to the project's root."""
    parts = file.split("/")
    layer = parts[1] if parts[0] == "src" and len(parts) > 2 else parts[0]
    lines = text.splitlines()
    if not lines or not re.match(r"// \S", lines[0]):
        yield 1, "must open with a sentence that says what the file is for"
    if parts[0] == "src" and len(lines) > MOST_LINES and file not in LONGER:
        yield MOST_LINES + 1, f"more than {MOST_LINES} lines: what is the second purpose?"
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            yield number, "names a path of one machine"
        if match := INCLUDE.match(line):
            for problem in include_problems(file, layer, match[1]):
                yield number, problem


def check(root):
    """All breaches below `root`, and the number of files seen."""
    files = sorted(path for top in ("src", "python-bindings", "tests", "bench")
                   for path in (root / top).rglob("*") if path.suffix in (".cpp", ".hpp"))
    names = [path.relative_to(root).as_posix() for path in files]
    problems = [f"{name}:{line}: {message}" for name, path in zip(names, files)
                for line, message in file_problems(name, path.read_text(encoding="utf-8"))]
    return problems, len(files)


def self_test():
    """Bad files, and what must be said of them; a checker that finds nothing proves nothing."""
    bad = {
        "src/models/a.cpp": ('// A.\n#include "engine/time.hpp"\n#include "system/build.hpp"\n',
                             ["src/models/a.cpp:3: models must not include system/build.hpp"]),
        "src/schedulers/b.cpp": ('// B.\n#include "engine/time.hpp"\n#include "engine/event_queue.hpp"\n',
                                 ["src/schedulers/b.cpp:3: schedulers must not include engine/event_queue.hpp"]),
        "src/models/c.hpp": ('// C.\n#  include <schedulers/policy.hpp>\n',
                             ["src/models/c.hpp:2: models must not include schedulers/policy.hpp"]),
        "src/hypervisors/d.cpp": ('// D.\n#include <boost/graph/adjacency_list.hpp>\n',
                                  ["src/hypervisors/d.cpp:2: boost/graph/adjacency_list.hpp belongs in "
                                   "src/models/interrupt_path.cpp only"]),
        "src/engine/e.cpp": ("#pragma once\n", ["src/engine/e.cpp:1: must open with a sentence that says what the file "
                                                "is for"]),
        "src/app/f.cpp": ("// F.\n" * 401, ["src/app/f.cpp:401: more than 400 lines: what is the second purpose?"]),
        "tests/g.cpp": ("// G.\n#include <catch2/catch.hpp>\n// see /ho" + "me/someone/notes\n",
                        ["tests/g.cpp:2: catch2/catch.hpp belongs in tests/catch.hpp or tests/main.cpp only",
                         "tests/g.cpp:3: names a path of one machine"]),
        "src/system/good.cpp": ('// Good.\n#include <vector>\n#include "hypervisors/xen.hpp"\n', []),
        "python-bindings/h.cpp": ('// H.\n#include "app/commands.hpp"\n',
                                  ["python-bindings/h.cpp:2: python-bindings must not include app/commands.hpp"]),
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, _) in bad.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        found, _ = check(Path(folder))
    expected = [message for _, messages in bad.values() for message in messages]
    if sorted(found) != sorted(expected):
        sys.exit("self-test failed:\n" + "\n".join(sorted(set(found) ^ set(expected))))


if __name__ == "__main__":
    self_test()
    breaches, count = check(Path(__file__).resolve().parent.parent)
    print("\n".join(breaches + [f"{count} files, {len(breaches)} breaches"]))
    sys.exit(1 if breaches or count == 0 else 0)
