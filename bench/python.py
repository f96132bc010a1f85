"""What Python costs beside the command line: `/usr/bin/python3 bench/python.py build`. Prints CPU times; reported and not asserted."""

import pathlib
import resource
import statistics
import subprocess
import sys
import time

BUILD = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(BUILD / "python"))

import vecusim  # noqa: E402


def least(times, work):
    """The least CPU time in seconds of so many calls."""
    spent = []
    for _ in range(times):
        began = time.process_time()
        work()
        spent.append(time.process_time() - began)
    return min(spent)


def program(*arguments):
    """CPU time of the program's own process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([BUILD / "vecusim", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


REPS = 500
vecusim.run("pi4-xen-published", jobs=1, reps=REPS)
ratios = []
for _ in range(21):  # in pairs, as a machine's speed changes by more than what is looked for
    alone = program("run", "pi4-xen-published", "--json", "-j", "1", "--reps", str(REPS))
    ratios.append(least(1, lambda: vecusim.run("pi4-xen-published", jobs=1, reps=REPS).to_json()) / alone)
print(f"a run of {alone:.2f} s: {100 * (statistics.median(ratios) - 1):+.1f} % in Python (median of {len(ratios)} pairs)")

FEW = {"/interrupts/0/stimulus/count": 1}


def sweep(points, **options):
    clocks = [600 + i / 10 for i in range(points)]
    return vecusim.sweep("pi4-xen-published", {"/board/clock_mhz": clocks}, set=FEW, jobs=1, **options)


small, large = least(5, lambda: sweep(100)), least(5, lambda: sweep(1100))
print(f"a point of one edge: {large - small:.3f} ms")
whole = least(3, lambda: sweep(1100).to_pandas())
print(f"... with a frame of 1100 points and all their numbers: {whole / 1.1:.3f} ms")
