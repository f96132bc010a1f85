#!/usr/bin/python3
"""Would the golden traces notice? Puts ten faults of one line each into the policies, one after the other, and runs
tests/golden against each. Takes some minutes of compile time, so it is run by hand:

    tests/mutants.py            all faults; exit status 1 if one of them is not caught
    tests/mutants.py credit2    only those in files whose name begins so

The sources are copied to a temporary folder; the checkout is not touched."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
LONGEST_RUN_S = 600  # a fault may make time stand still


class Fault(NamedTuple):
    what: str
    file: str  # in src/schedulers
    line: str  # must be there exactly once
    instead: str


FAULTS = [
    Fault("what is left of a burning is forgotten", "credit2_unit.hpp",
          "due = ran.count() * max_weight + residual;", "due = ran.count() * max_weight;"),
    Fault("tickling has no tolerance before the end of the rate limit", "credit2_tickle.cpp",
          "constexpr HvTime kTolerance = 50us;", "constexpr HvTime kTolerance = 0us;"),
    Fault("a pCPU takes units of others without resistance", "credit2_pass.cpp",
          "return unit.pcpu == here || credit + call.state.parameters.migrate_resist <= unit.credit;",
          "return unit.pcpu == here || credit <= unit.credit;"),
    Fault("the first parked is released first", "credit2_caps.cpp",
          "domain.parked.push_back(id);", "domain.parked.insert(domain.parked.begin(), id);"),
    Fault("overload is judged by the first runqueue, not by the last", "credit2_balance.cpp",
          "state.runqueues.back();", "state.runqueues.front();"),
    Fault("burning loses the time below one credit", "credit_state.cpp",
          "start += HvTime{credits * kMillionths / kCreditsPerMs};", "start = now;"),
    Fault("a yielding unit does not go behind one of a lower class", "credit_queues.cpp",
          "if (state_[unit].yielding && before != queue.end()) ++before;", ""),
    Fault("on a tie the running unit stays", "rtds.cpp",
          "compare(previous, candidate) > 0);", "compare(previous, candidate) >= 0);"),
    Fault("a pCPU without a unit takes no waiting one", "null.cpp",
          "if (owner == kIdle) take_waiter(context, context.pcpu);", ""),
    Fault("frames do not drift", "arinc653.cpp",
          "begin_frame(now);", "begin_frame(next_frame_);"),
]

RUNNER = """// Runs a folder of golden traces.
#include <iostream>

#include "system/golden.hpp"

int main(int, char** arguments) { return vecusim::golden::run_policy(arguments[1], std::nullopt, std::cout); }
"""


def prepare(work):
    """A copy of the sources, with a program that runs golden traces as its only target of use."""
    shutil.copytree(ROOT / "src", work / "src")
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    cmake = re.sub(r"add_subdirectory\((?!src\)).*\)\n", "", cmake)
    cmake = cmake.replace(" -Werror", "")  # a fault may leave something unused
    cmake += "add_executable(golden_runner golden_runner.cpp)\ntarget_link_libraries(golden_runner vecusim_golden)\n"
    (work / "CMakeLists.txt").write_text(cmake, encoding="utf-8")
    (work / "golden_runner.cpp").write_text(RUNNER, encoding="utf-8")
    subprocess.run(["cmake", "-G", "Ninja", "-S", work, "-B", work / "build", "-DCMAKE_BUILD_TYPE=Release"],
                   check=True, stdout=subprocess.DEVNULL)


def build(work):
    # With its paths taken relative to the folder, ccache knows what an earlier run compiled.
    result = subprocess.run(["ninja", "-C", work / "build", "-j2", "golden_runner"], capture_output=True, text=True,
                            env={**os.environ, "CCACHE_BASEDIR": str(work)})
    if result.returncode != 0:
        sys.exit(f"does not compile:\n{result.stdout}{result.stderr}")


def caught_by(work):
    """The names of the golden inputs whose traces differ."""
    try:
        result = subprocess.run([work / "build" / "golden_runner", GOLDEN], capture_output=True, text=True,
                                timeout=LONGEST_RUN_S)
    except subprocess.TimeoutExpired:
        return ["(it does not end)"]
    names = [Path(path).name.split(".")[0] for path in re.findall(r"^(\S+): line \d+ of the trace differs$",
                                                                   result.stdout, re.MULTILINE)]
    if result.returncode not in (0, 1) or (result.returncode == 1 and not names):
        names.append("(it fails)")
    return names


def apply(path, fault):
    text = path.read_text(encoding="utf-8")
    if text.count(fault.line) != 1:
        sys.exit(f"{fault.file}: \"{fault.line}\" stands there {text.count(fault.line)} times; the list of faults is stale")
    path.write_text(text.replace(fault.line, fault.instead), encoding="utf-8")
    return text


def main(prefix):
    faults = [fault for fault in FAULTS if fault.file.startswith(prefix)]
    if not faults:
        sys.exit(f"no fault is in a file that begins with \"{prefix}\"")
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(work)
        build(work)
        if names := caught_by(work):
            sys.exit(f"without any fault these differ: {' '.join(names)}")
        for fault in faults:
            path = work / "src" / "schedulers" / fault.file
            original = apply(path, fault)
            build(work)
            names = caught_by(work)
            path.write_text(original, encoding="utf-8")
            missed += not names
            shown = f"caught by {len(names)}: {' '.join(names[:3])}{' …' if len(names) > 3 else ''}" if names else "NOT CAUGHT"
            print(f"{fault.file:22} {fault.what:62} {shown}", flush=True)
    print(f"{len(faults) - missed} of {len(faults)} faults caught")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
