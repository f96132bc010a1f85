"""What a sweep costs beside its simulations, and whether it grows: `python3 bench/sweep.py build/vecusim`. Prints CPU time and the
greatest resident memory; reported and not asserted."""

import os
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
cpu, memory = spent(*SWEEP, *points(1000), "--reps", "20", "--out", "r.sqlite")
print(f"1000 points x 20 replications of 100 edges into a file: {cpu:.1f} s, {memory:.0f} MB")
few = [spent(*SWEEP, *points(100), "--reps", "20", "-j", threads)[0] for threads in ("1", "2")]
print(f"a point with one thread {10.0 * few[0]:.2f} ms, with two {10.0 * few[1]:.2f} ms: {few[1] / few[0]:.3f} times as much")
empty = ["--set", "/interrupts/0/stimulus/count=1", "-j", "1"]
for name, options in (("table", []), ("file", ["--out", "r.sqlite"])):
    (small, small_memory), (large, large_memory) = (spent(*SWEEP, *points(n), *empty, *options) for n in (200, 4200))
    print(f"a point of one edge, {name}: {(large - small) / 4.0:.4f} ms; 200 points {small_memory:.1f} MB, 4200 points {large_memory:.1f} MB")
alone = spent("run", "pi4-xen-published", "--set", "/interrupts/0/stimulus/count=1", "--reps", "4200", "-j", "1")[0]
once = spent("run", "pi4-xen-published", "--set", "/interrupts/0/stimulus/count=1", "--reps", "200", "-j", "1")[0]
print(f"its simulation alone: {(alone - once) / 4.0:.4f} ms")
