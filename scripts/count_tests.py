#!/usr/bin/python3
"""Counts the test cases in what ctest reports (JUnit XML files), whatever ran them; the last line is `PASSED FAILED`.

Every entry of ctest is one runner with many cases. Catch2, Python's unittest and pytest, and `vecusim policy` each say how many they
had. A runner that ended badly without saying so counts as one failure more, so that no crash is lost; one that says
nothing and ended well is one case.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree


def catch2(text):
    if found := re.search(r"^All tests passed \(\d+ assertions? in (\d+) test cases?\)", text, re.M):
        return int(found[1]), 0
    if found := re.search(r"^test cases:(.*)$", text, re.M):
        counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed)", found[1])}
        return counts.get("passed", 0), counts.get("failed", 0)
    return None


def unittest(text):
    ran = re.search(r"^Ran (\d+) tests? in ", text, re.M)
    if not ran:
        return None
    bad = sum(int(number) for number in re.findall(r"(?:failures|errors|unexpected successes)=(\d+)", text))
    skipped = sum(int(number) for number in re.findall(r"skipped=(\d+)", text))
    return max(int(ran[1]) - bad - skipped, 0), bad


def pytest(text):
    if not re.search(r"^(?:=+ )?(?:\d+ \w+, )*\d+ (?:passed|failed|errors?|skipped)\b.* in [\d.]+s\b", text, re.M):
        return None
    last = [line for line in text.splitlines() if re.search(r" in [\d.]+s\b", line)][-1]
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", last)}
    return counts.get("passed", 0), counts.get("failed", 0) + counts.get("error", 0)


def golden(text):
    found = re.findall(r"^(\d+) passed, (\d+) failed$", text, re.M)
    return (int(found[-1][0]), int(found[-1][1])) if found else None


def count(entry):
    text = entry.findtext("system-out") or ""
    ended_well = entry.get("status") == "run"
    for reader in (catch2, unittest, pytest, golden):
        counted = reader(text)
        if counted is not None:
            passed, failed = counted
            return passed, failed if ended_well or failed else 1
    return (1, 0) if ended_well else (0, 1)


def main(files):
    all_passed = all_failed = 0
    for file in files:
        entries = list(ElementTree.parse(file).getroot().iter("testcase"))
        if not entries:
            print(f"{file}: ctest ran nothing")
            all_failed += 1
        for entry in entries:
            passed, failed = count(entry)
            print(f"  {entry.get('name'):<24} {passed:5} passed, {failed} failed")
            all_passed += passed
            all_failed += failed
    print(all_passed, all_failed)


main(sys.argv[1:])
