"""What a sweep costs beside its simulations, and whether it grows: `python3 bench/sweep.py build/vecusim`. Prints CPU time and the
greatest resident memory; reported and not asserted."""

import os
import statistics
import subprocess
import sys
import tempfile

PROGRAM = os.path.abspath(sys.argv[1])
CLOCKS = "/board/clock_mhz=600.0:{}:0.2"


def spent(*arguments):
    """CPU seconds and megabytes of one call."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([PROGRAM, *arguments], cwd=folder, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, arguments
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024.0


def points(number):
    return ["--vary", CLOCKS.format(round(600 + 0.2 * (number - 1), 1))]


SWEEP = ["sweep", "pi4-xen-published"]
EMPTY = ["--set", "/interrupts/0/stimulus/count=1", "-j", "1"]
FEW, MANY = 200, 4200


def growth(call):
    """Milliseconds of CPU of one more of what there are FEW and MANY of, the median of five pairs; and the megabytes of both."""
    pairs = [(call(FEW), call(MANY)) for _ in range(5)]
    cpu = statistics.median(1e3 * (many[0] - few[0]) / (MANY - FEW) for few, many in pairs)
    return cpu, *(statistics.median(run[1] for run in runs) for runs in zip(*pairs))


cpu, memory = spent(*SWEEP, *points(1000), "--reps", "20", "--out", "r.sqlite")
print(f"1000 points x 20 replications of 100 edges into a file: {cpu:.1f} s, {memory:.0f} MB")
pairs = [[spent(*SWEEP, *points(100), "--reps", "20", "-j", threads)[0] for threads in ("1", "2")] for _ in range(5)]
ratio = statistics.median(two / one for one, two in pairs)
print(f"a point with two threads takes {ratio:.3f} times the CPU of one with one (median of 5 pairs)")

# What a point costs beside its simulation: one edge each, less the same edges as replications of one point.
alone, _, _ = growth(lambda n: spent("run", "pi4-xen-published", *EMPTY, "--reps", str(n)))
print(f"a replication of one edge: {alone:.4f} ms")
COST = "/costs/core.dram_line/value=50.0:{}:0.01"
for name, options in (("table", []), ("--json", ["--json"]), ("--csv -", ["--csv", "-"]), ("--csv FILE", ["--csv", "r.csv"]),
                      ("--out FILE", ["--out", "r.sqlite"])):
    cpu, few, many = growth(lambda n: spent(*SWEEP, *points(n), *EMPTY, *options))
    print(f"a point more, {name}: {cpu - alone:.4f} ms; {FEW} points {few:.1f} MB, {MANY} points {many:.1f} MB")
cpu, _, _ = growth(lambda n: spent(*SWEEP, "--vary", COST.format(round(50 + 0.01 * (n - 1), 2)), *EMPTY, "--csv", "r.csv"))
print(f"a point more that varies a cost, --csv FILE: {cpu - alone:.4f} ms")
