"""Traces and exports, read by readers that know the formats and not the program."""

import csv
import io
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree
from collections import defaultdict
from decimal import Decimal

import vecusim
from vecusim import SOURCE, Case

XEN = ["pi4-xen-published", "--set", "/interrupts/0/stimulus/count=5"]
KVM = ["pi4-kvm", "--set", "/interrupts/0/stimulus/count=5"]
NATIVE = ["pi4-native", "--set", "/interrupts/0/stimulus/count=5"]


class Traces(Case):
    def trace(self, ending, scenario, *arguments):
        file = self.folder / f"t.{ending}"
        self.data("run", *scenario, "--trace", str(file), *arguments)
        return file.read_text()

    # ---- Chrome ----

    def chrome(self, scenario, *arguments):
        return json.loads(self.trace("json", scenario, *arguments), parse_float=Decimal)

    def test_chrome_events_nest_and_come_by_time(self):
        for scenario in (XEN, KVM, NATIVE):
            events = self.chrome(scenario)["traceEvents"]
            named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
            timed = [e for e in events if e["ph"] != "M"]
            self.assertEqual({e["ph"] for e in timed}, {"X", "i"})
            self.assertEqual([e["ts"] for e in timed], sorted(e["ts"] for e in timed))
            open_until = defaultdict(list)
            for event in timed:
                thread = (event["pid"], event["tid"])
                self.assertIn(thread, named)
                if event["ph"] == "i":
                    continue
                begin, end = Decimal(event["ts"]), Decimal(event["ts"]) + Decimal(event["dur"])
                stack = open_until[thread]
                while stack and stack[-1] <= begin:
                    stack.pop()
                self.assertTrue(not stack or end <= stack[-1], event)
                stack.append(end)

    def test_chrome_flights_are_the_samples_of_the_result(self):
        events = self.chrome(XEN)["traceEvents"]
        flights = [Decimal(e["dur"]) for e in events if e.get("cat") == "flight"]
        stages = [Decimal(e["dur"]) for e in events if e.get("cat") == "stage"]
        latency = self.document("run", *XEN, "--json")["latency"][0]
        self.assertEqual(len(flights), latency["n"])
        self.assertEqual(sum(flights) * 10**6, latency["sum_ps"])
        self.assertEqual(sum(stages), sum(flights))

    def test_a_window_around_the_worst_sample_has_it_in_its_middle(self):
        document = self.chrome(XEN, "--trace-window", "worst", "--reps", "3")
        worst = self.document("explain", *XEN, "--json", "--reps", "3", "--worst", "1")["interrupts"][0]["worst"][0]
        self.assertEqual(document["otherData"]["replication"], worst["replication"])
        flights = [e for e in document["traceEvents"] if e.get("cat") == "flight"]
        self.assertIn(f" {worst['flight']}", [e["name"][-len(f" {worst['flight']}"):] for e in flights])
        length = Decimal(document["otherData"]["to_us"]) - Decimal(document["otherData"]["from_us"])
        self.assertAlmostEqual(float(length), 3 * worst["latency_us"], delta=0.01)

    def test_rows_can_be_chosen(self):
        events = self.chrome(XEN, "--trace-only", "pcpu0,dom0/0")["traceEvents"]
        names = {e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.assertEqual(names, {"pcpu0", "dom0/0", "dom0/0 inside"})

    # ---- BTF ----

    FOLLOWS = {  # of each type: what may come after what
        "T": {None: {"activate"}, "activate": {"start"}, "start": {"preempt", "terminate"},
              "preempt": {"resume"}, "resume": {"preempt", "terminate"}, "terminate": set()},
        "ISR": {None: {"activate"}, "activate": {"start"}, "start": {"terminate"}, "terminate": set()},
        "R": {None: {"start"}, "start": {"suspend", "stop"}, "suspend": {"resume"}, "resume": {"suspend", "stop"},
              "stop": set()},
        "STI": {None: {"trigger"}, "trigger": set()},
    }

    def test_btf_lines_have_eight_columns_and_entities_live_as_they_may(self):
        for scenario in (XEN, KVM, NATIVE):
            lines = self.trace("btf", scenario).splitlines()
            self.assertEqual(lines[0], "#version 2.1.3")
            self.assertIn("#timeScale ps", lines)
            state = {}
            running = defaultdict(set)  # by core
            last = -1
            for line in lines:
                if line.startswith("#"):
                    continue
                fields = line.split(",")
                self.assertEqual(len(fields), 8, line)
                time, source, its_instance, kind, target, instance, event, _ = fields
                self.assertGreaterEqual(int(time), last)
                last = int(time)
                entity = (kind, target, int(instance))
                self.assertIn(event, self.FOLLOWS[kind][state.get(entity)], line)
                state[entity] = event
                if kind in ("T", "ISR") and event != "activate":
                    self.assertRegex(source, r"\ACore_pcpu\d\Z")
                    if event in ("start", "resume"):
                        self.assertEqual(running[source], set(), line)
                        running[source].add(entity)
                    else:
                        running[source].remove(entity)
                elif kind == "R" and event in ("start", "resume"):
                    self.assertIn({("T", source, int(its_instance))}, running.values(), line)
            kinds = {kind for kind, _, _ in state}
            self.assertEqual(kinds, {"T", "ISR", "STI"} if scenario is NATIVE else {"T", "ISR", "R", "STI"})

    # ---- VCD ----

    def vcd(self, text):
        """For each variable, by scope and name: its type, and its changes (time, value)."""
        head, _, body = text.partition("$enddefinitions $end\n")
        self.assertIn("$timescale 1 ps $end", head)
        variables, scopes = {}, []
        for line in head.splitlines():
            words = line.split()
            if words[0] == "$scope":
                scopes.append(words[2])
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                self.assertEqual((words[2], words[5]), ("1", "$end"))
                self.assertRegex(words[4], r"\A\w+\Z")
                self.assertNotIn(words[3], variables)
                variables[words[3]] = (".".join(scopes + [words[4]]), words[1], [])
        self.assertEqual(scopes, [])
        time, dumping = None, False
        for line in body.splitlines():
            if line.startswith("#"):
                self.assertTrue(time is None or int(line[1:]) > time, line)
                time = int(line[1:])
            elif line in ("$dumpvars", "$end"):
                dumping = line == "$dumpvars"
            else:
                name, kind, changes = variables[line[1:]]
                self.assertIn(line[0], "1" if kind == "event" else "01")
                if kind == "wire":
                    self.assertTrue(dumping or changes[-1][1] != line[0], f"{name} does not change at {time}")
                changes.append((time, line[0]))
        return {name: (kind, changes) for name, kind, changes in variables.values()}, time

    @staticmethod
    def high(changes, end):
        total = 0
        for (begin, value), (after, _) in zip(changes, changes[1:] + [(end, None)]):
            total += (after - begin) * int(value)
        return total

    def test_vcd_wires_are_high_as_long_as_the_csv_says(self):
        wires, end = self.vcd(self.trace("vcd", XEN))
        expected = defaultdict(Decimal)
        for line in csv.DictReader(io.StringIO(self.trace("csv", XEN))):
            if line["record"] == "interval":
                name = line["what"] if line["state"] == "guest" else line["state"]
                wire = f'{line["row"]}.{name}'.replace("/", "_")
                expected[wire] += Decimal(line["end_us"]) - Decimal(line["begin_us"])
        self.assertIn("dom0_1.running", expected)
        for wire, time in expected.items():
            self.assertEqual(self.high(wires[wire][1], end), time * 10**6, wire)
        self.assertEqual(len(wires["edge.stimulus"][1]), 5)

    def test_vcd_is_what_gtkwave_reads(self):
        if shutil.which("vcd2fst") is None:
            self.skipTest("there is no vcd2fst")
        self.trace("vcd", XEN)
        subprocess.run(["vcd2fst", "t.vcd", "t.fst"], cwd=self.folder, check=True, capture_output=True)
        back = subprocess.run(["fst2vcd", "t.fst"], cwd=self.folder, check=True, capture_output=True, text=True).stdout
        self.assertEqual(back.count("$var"), (self.folder / "t.vcd").read_text().count("$var"))

    # ---- Lines ----

    def test_ndjson_and_csv_say_the_same(self):
        first, *objects = map(json.loads, self.trace("ndjson", XEN).splitlines())
        self.assertEqual(first["schema"], "vecusim/trace/1")
        lines = list(csv.DictReader(io.StringIO(self.trace("csv", XEN))))
        for record in ("interval", "instant", "flight"):
            self.assertEqual(sum(o["record"] == record for o in objects), sum(x["record"] == record for x in lines))
        self.assertEqual(sum(len(o["stages"]) for o in objects if o["record"] == "flight"),
                         sum(line["record"] == "stage" for line in lines))
        for flight in (o for o in objects if o["record"] == "flight"):
            parts = sum(stage["service_us"] + sum(stage["waits_us"].values()) for stage in flight["stages"])
            self.assertAlmostEqual(parts, flight["end_us"] - flight["begin_us"], places=3)

    # ---- Options ----

    def test_what_makes_no_sense_is_refused_and_nothing_is_written(self):
        for expected, arguments in {
            'expected a file that ends in .json, .btf, .vcd, .csv, .ndjson, or --trace-format; found "t.txt"':
                ["--trace", "t.txt"],
            "--trace-window: expected FROM:TO in ms": ["--trace", "t.vcd", "--trace-window", "5:2"],
            "--trace-only: expected one of pcpu0, ": ["--trace", "t.vcd", "--trace-only", "pcpu0,nobody"],
            "--trace-window: there is no --trace FILE": ["--trace-window", "1:2"],
            "trace-format": ["--trace", "t.vcd", "--trace-format", "vcc"],
        }.items():
            self.assert_usage(expected, "run", *NATIVE, *arguments)
            self.assertEqual(self.files(), [])

    def test_a_trace_is_the_same_each_time_and_beside_the_table(self):
        plain = self.data("run", *XEN)
        one = self.trace("json", XEN, "-j1")
        self.assertEqual(one, self.trace("json", XEN, "-j2"))
        self.assertEqual(self.data("run", *XEN, "--trace", "u.txt", "--trace-format", "chrome"), plain)
        self.assertEqual((self.folder / "u.txt").read_text(), one)

    def test_a_window_behind_the_end_is_told(self):
        status, _, error = self.vecusim("run", *NATIVE, "--trace", "t.json", "--trace-window", "1000000:")
        self.assertEqual(status, 0)
        self.assertIn("ends before the window begins", error)


class Exports(Case):
    REQUIRED = ["--set", '/interrupts/0/requirement={"limit_us": %s, "percentile": 95}']

    def export(self, scenario, form, *arguments, status=0):
        return self.data("export", *scenario, "--format", form, *arguments, status=status)

    def test_samples_are_those_of_the_result_however_many_threads(self):
        latency = self.document("run", *XEN, "--json", "--reps", "3")["latency"][0]
        text = self.export(XEN, "csv", "--reps", "3", "-j1")
        self.assertEqual(text, self.export(XEN, "csv", "--reps", "3", "-j2"))
        lines = list(csv.DictReader(io.StringIO(text)))
        answered = [Decimal(line["latency_us"]) for line in lines if line["fate"] == "answered"]
        self.assertEqual((len(answered), sum(answered) * 10**6), (latency["n"], latency["sum_ps"]))
        objects = [json.loads(line) for line in self.export(XEN, "ndjson", "--reps", "3").splitlines()]
        self.assertEqual([float(line["latency_us"] or "nan") for line in lines if line["latency_us"]],
                         [o["latency_us"] for o in objects if "latency_us" in o])
        self.assertEqual({stage["name"] for o in objects for stage in o["stages"]} -
                         {stage["name"] for stage in latency["stages"]}, set())

    def test_a_result_gives_what_its_scenario_gives(self):
        self.write("result.json", self.data("run", *XEN, "--json", "--seed", "9"))
        self.assertEqual(self.export(["result.json"], "csv"), self.export(XEN, "csv", "--seed", "9"))

    def test_cyclictest_and_osadl_count_every_sample(self):
        latencies = self.document("run", "pi4-native", "--json", "--reps", "4")["latency"]
        text = self.export(["pi4-native"], "cyclictest", "--reps", "4")
        body = [line for line in text.splitlines() if not line.startswith("#")]
        self.assertEqual(self.export(["pi4-native"], "osadl", "--reps", "4").splitlines(), body)
        counts = {int(line.split()[0]): int(line.split()[1]) for line in body}
        self.assertEqual(list(counts), list(range(len(body))))
        self.assertEqual(sum(counts.values()), latencies[0]["n"])
        seen = [us for us, n in counts.items() if n > 0]
        self.assertEqual((seen[0], seen[-1]), (int(latencies[0]["min_us"]), int(latencies[0]["max_us"])))
        for title, value in (("Total", latencies[0]["n"]), ("Min Latencies", seen[0]), ("Max Latencies", seen[-1]),
                             ("Avg Latencies", int(latencies[0]["mean_us"])), ("Histogram Overflows", 0)):
            self.assertEqual(int(re.search(rf"^# {title}: (\d+)$", text, re.M)[1]), value)

    def test_hgrm_climbs_to_the_maximum(self):
        latency = self.document("run", "pi4-native", "--json", "--reps", "4")["latency"][0]
        lines = self.export(["pi4-native"], "hgrm", "--reps", "4").splitlines()
        self.assertEqual(lines[0].split(), ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"])
        rows = [[float(word) for word in line.split()] for line in lines[2:] if not line.startswith("#")]
        for before, after in zip(rows, rows[1:]):
            self.assertTrue(all(a <= b for a, b in zip(before[:3], after[:3])), (before, after))
        self.assertEqual(len(rows[-1]), 3)
        self.assertEqual(rows[-1][1:], [1.0, latency["n"]])
        self.assertAlmostEqual(rows[-1][0], latency["max_us"], places=3)
        median = next(row for row in rows if row[1] == 0.5)
        self.assertAlmostEqual(median[0], latency["p50_us"], places=3)
        self.assertIn(f"Total count    = {latency['n']:12}]", lines[-1])

    def junit(self, *arguments, status):
        text = self.data("export", *arguments, "--format", "junit", status=status)
        if shutil.which("xmllint"):
            subprocess.run(["xmllint", "--noout", "-"], input=text, text=True, check=True)
        return xml.etree.ElementTree.fromstring(text)

    def test_junit_has_a_test_for_each_requirement(self):
        required = lambda limit: ["pi4-native", *(word.replace("%s", limit) for word in self.REQUIRED)]
        passed = self.junit(*required("1000"), status=0)
        self.assertEqual([case.get("name") for case in passed.iter("testcase")], ["edge: p95 within 1000 µs"])
        self.assertEqual(list(passed.iter("failure")), [])
        failed = self.junit(*required("100"), status=1)
        self.assertIn("100 of 100 missed", next(failed.iter("failure")).get("message"))
        self.assertEqual([suite.get("failures") for suite in failed], ["1"])
        few = self.junit(*required("100"), "--set", "/interrupts/0/stimulus/count=5", "--quiet", status=0)
        self.assertEqual(len(list(few.iter("skipped"))), 1)

    def test_junit_has_a_test_for_each_row_of_a_validation(self):
        row = {"case": "c", "role": "predicted", "statistics": [], "note": ""}
        rows = [{**row, "row": "good", "verdict": "pass", "expect": "pass"},
                {**row, "row": "b<a>d", "verdict": "fail", "expect": "pass",
                 "statistics": [{"name": "max_us", "measured": 3.5, "predicted": 2, "inside": False}]},
                {**row, "row": "missing", "verdict": None, "expect": "pass"}]
        file = self.write("v.json", {"schema": "vecusim/validation/1", "rows": rows, "passed": 1, "failed": 1})
        suite = self.junit(file, status=1)[0]
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("skipped")), ("3", "1", "1"))
        self.assertEqual([case.get("name") for case in suite], ["good", "b<a>d", "missing"])
        self.assertEqual(suite[1][0].get("message"), "expected pass, found fail; max_us measured 3.5, predicted 2")
        self.write("v.json", {"schema": "vecusim/validation/1", "rows": [{"case": 1}]})
        self.assert_invalid("v.json:4:5: /rows/0/case: expected a string", "export", file, "--format", "junit")

    def test_a_file_is_written_and_standard_output_is_not(self):
        self.assertEqual(self.export(NATIVE, "vcd", "-o", "t.vcd", "--window", "0:10"), "")
        self.assertEqual(self.files(), ["t.vcd"])
        self.assertEqual(self.export(NATIVE, "vcd", "--window", "0:10"), (self.folder / "t.vcd").read_text())

    def test_what_makes_no_sense_is_refused(self):
        self.assert_usage("expected --format chrome, btf", "export", "pi4-native")
        self.assert_usage("--window: of a trace", "export", "pi4-native", "--format", "csv", "--window", "1:2")
        self.assert_usage("expected an interrupt of the scenario", "export", "pi4-native", "--format", "csv", "--only", "x")
        self.assert_usage("has room for one interrupt", "export", "pi4-xen-together", "--format", "hgrm")
        self.assert_usage("it has no samples", "export", "vc3-bridge-rx", "--format", "csv")


class Recorded(Case):
    TRACE = str(SOURCE / "tests/data/xentrace-credit2.bin")
    HZ = ["--counter-hz", "62500000"]

    def test_a_recorded_trace_is_a_scenario_that_runs_with_any_scheduler(self):
        self.write("s.json", self.data("init", self.TRACE, *self.HZ))
        load = {party["name"]: party["pcpu_pct"] for party in self.document("run", "s.json", "--json")["load"]}
        self.assertGreater(load["d1"], 95)  # the hog
        self.assertGreater(load["d0"], 0)
        for scheduler in ("credit", "rtds"):
            self.document("run", "s.json", "--json", "-q", "--set", f'/hypervisor/scheduler={{"model": "{scheduler}"}}')

    def test_its_decisions_are_those_of_our_scheduler(self):
        self.write("s.json", self.data("init", self.TRACE, *self.HZ))
        self.assertEqual(self.data("policy", "s.json", "--expect", self.TRACE, *self.HZ),
                         "5 wakes replayed with credit2, rate limit 1000 µs: 5 decided alike\n")

    def test_what_it_needs_is_told(self):
        tiny = str(SOURCE / "tests/data/xentrace-tiny.bin")
        self.assert_usage("does not tell the frequency of its counter", "init", tiny)
        json.loads(self.data("init", tiny, "--counter-hz", "54000000"))
        self.assert_invalid("/domains: expected the domain \"d0\" of the recorded trace", "policy", "pi4-xen-published",
                            "--expect", self.TRACE, *self.HZ, "-q")
        self.assert_usage("--set: of a recorded trace only", "policy", "x.case.json", "--set", "/a=1")


if __name__ == "__main__":
    vecusim.main()
