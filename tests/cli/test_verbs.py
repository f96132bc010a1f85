"""What each verb does, its documents, and that neither threads nor detours change a byte of them."""

import csv
import io
import json
import os
import pathlib
import re
import shutil
import subprocess

import vecusim
from vecusim import SOURCE, VERBS, Case

# The preset of the published bench on the bare board: fast, and with a requirement or not.
NATIVE = "pi4-native"


def numbers(node, path=""):
    """Every number of a document by its path, with names for indices."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from numbers(value, f"{path}.{key}" if path else key)
    elif isinstance(node, list):
        for index, value in enumerate(node):
            name = value.get("name", index) if isinstance(value, dict) else index
            yield from numbers(value, f"{path}.{name}")
    elif isinstance(node, (int, float)) and not isinstance(node, bool):
        yield path, node


class Run(Case):
    def test_the_document_has_what_a_result_has(self):
        result = self.document("run", NATIVE, "--json")
        self.assertEqual(result["schema"], "vecusim/result/1")
        for key in ("version", "inputs", "scenario", "seed", "replications", "simulated_s", "events", "latency", "load",
                    "counters"):
            self.assertIn(key, result)
        self.assertRegex(self.data("--version"), re.escape(result["version"]))
        for item in result["inputs"]:
            self.assertRegex(item["sha256"], r"\A[0-9a-f]{64}\Z")

    def test_the_integers_tile(self):
        for preset in (NATIVE, "pi4-xen-published"):
            for latency in self.document("run", preset, "--json", "--reps", "2")["latency"]:
                parts = sum(stage["service_ps"] + sum(stage["waits_ps"].values()) for stage in latency["stages"])
                self.assertEqual(parts, latency["sum_ps"])
                self.assertGreater(latency["n"], 0)

    def test_threads_do_not_change_a_byte(self):
        for arguments in (["run", "pi4-xen-published", "--json", "--reps", "6"],
                          ["sweep", NATIVE, "--vary", "/board/clock_mhz=600,1500", "--reps", "3", "--csv", "-"],
                          ["explain", "pi4-xen-published", "--json", "--reps", "6", "--worst", "5"]):
            one = self.data(*arguments, "-j1")
            self.assertEqual(one, self.data(*arguments, "-j2"))
            self.assertEqual(one, self.data(*arguments, "-j", "7"))
            self.assertEqual(one, self.data(*arguments))

    def test_the_seed_changes_numbers_and_the_same_seed_does_not(self):
        first = self.data("run", NATIVE, "--json", "--seed", "1")
        self.assertEqual(first, self.data("run", NATIVE, "--json", "--seed", "1"))
        self.assertNotEqual(json.loads(first)["latency"],
                            self.document("run", NATIVE, "--json", "--seed", "2")["latency"])

    def test_a_result_is_a_scenario_that_repeats_itself(self):
        first = self.document("run", NATIVE, "--json", "--seed", "5", "--reps", "3", "--set", "/board/clock_mhz=1000")
        self.write("result.json", first)
        again = self.document("run", "result.json", "--json")
        self.assertEqual((first["seed"], first["replications"]), (5, 3))
        self.assertEqual({**again, "inputs": None}, {**first, "inputs": None})

    def test_a_preset_a_file_and_standard_input_are_the_same(self):
        text = self.data("init", NATIVE)
        self.write("own.json", text)
        preset = self.document("run", NATIVE, "--json")
        for result in (self.document("run", "own.json", "--json"), self.document("run", "-", "--json", stdin=text)):
            self.assertEqual({**result, "inputs": None}, {**preset, "inputs": None})

    def test_a_faster_clock_is_faster(self):
        def mean(clock):
            arguments = ["run", NATIVE, "--json", "--reps", "5", "--set", f"/board/clock_mhz={clock}"]
            return self.document(*arguments)["latency"][0]["mean_us"]

        self.assertGreater(mean(600), mean(1500))

    def test_a_requirement_decides_the_status(self):
        for limit, status, met in ((1_000_000, 0, True), (1, 1, False)):
            setting = f'/interrupts/0/requirement={{"limit_us": {limit}, "percentile": 90}}'
            result = json.loads(self.data("run", NATIVE, "--json", "--reps", "10", "--set", setting, status=status))
            self.assertIs(result["latency"][0]["requirement"]["met"], met)

    def test_too_few_samples_for_a_requirement_are_a_warning_and_no_verdict(self):
        setting = '/interrupts/0/requirement={"limit_us": 1000000, "percentile": 99.99}'
        status, output, error = self.vecusim("run", NATIVE, "--json", "--set", setting)
        self.assertEqual(status, 0)
        self.assertIsNone(json.loads(output)["latency"][0]["requirement"]["met"])
        self.assertIn("warning", error)
        self.assertEqual(self.vecusim("run", NATIVE, "--json", "--set", setting, "--quiet")[2], "")

    def test_a_table_fits_80_columns(self):
        _, *lines = self.data("run", "pi4-xen-published").splitlines()  # the first line is the scenario's own title
        for line in lines:
            self.assertLessEqual(len(line), 80, line)


class Sweep(Case):
    def rows(self, *arguments):
        return list(csv.DictReader(io.StringIO(self.data("sweep", NATIVE, *arguments, "--csv", "-"))))

    def test_columns_are_the_pointers_the_replications_and_every_number(self):
        rows = self.rows("--vary", "/board/clock_mhz=600,1500")
        header = list(rows[0])
        self.assertEqual(header[:2], ["/board/clock_mhz", "replications"])
        self.assertIn("latency.edge.mean_us", header)
        self.assertTrue(any(re.fullmatch(r"load\.\w+\.pcpu_pct", name) for name in header), header)

    def test_a_row_is_the_result_of_its_point(self):
        for row in self.rows("--vary", "/board/clock_mhz=600,1500", "--reps", "2"):
            clock = row["/board/clock_mhz"]
            result = self.document("run", NATIVE, "--json", "--reps", "2", "--set", f"/board/clock_mhz={clock}")
            for part in ("latency", "load", "counters"):
                for path, value in numbers(result[part], part):
                    if path in row and row[path]:
                        self.assertEqual(float(row[path]), value, path)
            self.assertEqual(row["latency.edge.sum_ps"], str(result["latency"][0]["sum_ps"]))

    def test_several_variations_make_a_grid_whose_last_changes_fastest(self):
        rows = self.rows("--vary", "/board/clock_mhz=600,1500", "--vary", "/run/seed=1:3:1")
        points = [(row["/board/clock_mhz"], row["/run/seed"]) for row in rows]
        self.assertEqual(points, [(clock, seed) for clock in ("600", "1500") for seed in ("1", "2", "3")])

    def test_ranges_and_logarithmic_ranges(self):
        rows = self.rows("--vary", "/board/clock_mhz=600:1400:400")
        self.assertEqual([row["/board/clock_mhz"] for row in rows], ["600", "1000", "1400"])
        rows = self.rows("--vary", "/interrupts/0/stimulus/count=log:10:1000:3")
        self.assertEqual([row["latency.edge.n"] for row in rows], ["10", "100", "1000"])

    def test_a_table_and_a_document_have_a_row_for_each_point(self):
        table = self.data("sweep", NATIVE, "--vary", "/board/clock_mhz=600,1500").splitlines()
        self.assertEqual(len(table), 3)
        self.assertTrue(table[0].startswith("clock_mhz"), table[0])
        document = self.document("sweep", NATIVE, "--vary", "/board/clock_mhz=600,1500", "--json")
        self.assertEqual(document["schema"], "vecusim/sweep/1")
        self.assertEqual([row["/board/clock_mhz"] for row in document["rows"]], [600, 1500])

    def test_a_point_that_is_no_scenario_stops_it_before_it_starts(self):
        self.assert_invalid("/board/clock_mhz", "sweep", NATIVE, "--vary", "/board/clock_mhz=600,0")


class Check(Case):
    def test_every_cost_that_the_tables_do_not_have_is_a_problem(self):
        status, output, _ = self.vecusim("check", "zcu104-partition", "--set", '/costs=["zcu104"]', "--json")
        pointers = [problem["pointer"] for problem in json.loads(output)["problems"]]
        self.assertEqual(status, 3)
        self.assertIn("/costs/partition.irq.cycles", pointers)
        self.assertIn("/costs/partition.sgi.lines", pointers)

    def test_every_preset_is_without_errors(self):
        presets = [preset["name"] for preset in self.document("list", "presets", "--json")["presets"]]
        self.assertIn(NATIVE, presets)
        status, output, error = self.vecusim("check", *presets)
        self.assertEqual(status, 0, output)
        self.assertRegex(error, r"\A(0 errors, \d+ warnings?\n)?\Z")

    def test_problems_are_data(self):
        path = self.write("bad.json", {**self.preset(), "titel": "x"})
        status, output, error = self.vecusim("check", path, NATIVE)
        self.assertEqual((status, error), (3, "1 error, 0 warnings\n"))
        self.assertIn('/titel: expected a known key, found "titel"; did you mean "title"?', output)
        self.assertEqual(self.vecusim("check", path, "--quiet"), (3, output, ""))


class Explain(Case):
    def test_the_parts_of_each_answer_are_its_latency(self):
        document = self.document("explain", "pi4-xen-published", "--json", "--worst", "4")
        self.assertEqual(document["schema"], "vecusim/explanation/1")
        worst = document["interrupts"][0]["worst"]
        self.assertEqual(len(worst), 4)
        for answer in worst:
            parts = sum(stage["service_us"] + sum(stage["waits_us"].values()) for stage in answer["stages"])
            self.assertAlmostEqual(parts, answer["latency_us"], places=5)

    def test_it_shows_as_many_as_asked_for_and_the_worst_is_the_maximum(self):
        worst = self.document("explain", NATIVE, "--worst", "2", "--json")["interrupts"][0]["worst"]
        self.assertEqual(len(worst), 2)
        self.assertEqual(worst[0]["latency_us"], self.document("run", NATIVE, "--json")["latency"][0]["max_us"])
        self.assertGreaterEqual(worst[0]["latency_us"], worst[1]["latency_us"])
        text = self.data("explain", NATIVE, "--worst", "2")
        self.assertIn(f"1. {worst[0]['latency_us']:.4g}", text)
        self.assertIn(f"2. {worst[1]['latency_us']:.4g}", text)
        self.assertNotIn("\n3. ", text)

    def test_the_path_is_a_graph_that_graphviz_draws(self):
        dot = self.data("explain", "pi4-xen-published", "--dot")
        drawn = subprocess.run(["dot", "-Tsvg"], input=dot, capture_output=True, text=True)
        self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
        for stage in self.document("run", "pi4-xen-published", "--json")["latency"][0]["stages"]:
            self.assertIn(stage["name"], dot)


class Init(Case):
    def test_it_prints_the_file_itself_for_every_preset(self):
        for preset in self.document("list", "presets", "--json")["presets"]:
            text = self.data("init", preset["name"])
            self.assertEqual(text.encode(), (SOURCE / "scenarios" / f"{preset['name']}.json").read_bytes())
            self.assertEqual(json.loads(text)["title"], preset["title"])

    def test_the_file_of_a_board_is_that_board(self):
        self.write("board.json", self.data("init", "pi4"))
        own = self.document("run", NATIVE, "--json", "--set", '/board={"model":"file","path":"board.json"}')
        self.assertEqual(own["latency"], self.document("run", NATIVE, "--json")["latency"])


class List(Case):
    def test_each_list_alone_and_all_together(self):
        everything = self.document("list", "--json")
        self.assertEqual(everything["schema"], "vecusim/list/1")
        groups = ["boards", "hypervisors", "schedulers", "presets", "metrics", "costs"]
        self.assertEqual(list(everything), ["schema", *groups])
        for group in groups:
            self.assertEqual(self.document("list", group, "--json"), {"schema": "vecusim/list/1", group: everything[group]})
            self.assertTrue(everything[group], group)
            text = self.data("list", group)
            for item in everything[group]:
                self.assertIn(item["name"], text)

    def test_what_there_is(self):
        everything = self.document("list", "--json")
        names = {group: [item["name"] for item in items] for group, items in everything.items() if group != "schema"}
        self.assertIn("pi4", names["boards"])
        self.assertIn("native", names["hypervisors"])
        self.assertIn("credit2", names["schedulers"])
        self.assertIn("latency.INTERRUPT.mean_us", names["metrics"])

    def test_every_metric_says_what_it_is(self):
        for metric in self.document("list", "metrics", "--json")["metrics"]:
            self.assertTrue(metric["title"], metric["name"])

    def test_a_result_has_no_metric_that_is_not_listed(self):
        listed = [metric["name"] for metric in self.document("list", "metrics", "--json")["metrics"]]
        header = self.data("sweep", NATIVE, "--vary", "/run/seed=1", "--csv", "-").splitlines()[0].split(",")
        stand_ins = {"latency": ("INTERRUPT",), "load": ("DOMAIN",)}
        for name in header[2:]:
            parts = name.split(".")
            if parts[0] in stand_ins and parts[:2] != ["load", "idle"]:
                parts[1] = stand_ins[parts[0]][0]
            if parts[0] == "latency" and parts[2] == "stages":
                parts[3] = "STAGE"
            self.assertIn(".".join(parts), listed)

    def test_every_cost_says_where_it_comes_from(self):
        for cost in self.document("list", "costs", "--json")["costs"]:
            self.assertIn(cost["provenance"], ("cited", "measured", "estimated", "fitted"), cost)
            self.assertTrue(cost["source"] and cost["unit"] and cost["table"], cost)

    def test_an_unknown_list_gets_the_nearest_one(self):
        self.assert_usage('did you mean "boards"?', "list", "bords")


class Schema(Case):
    def test_it_is_a_json_schema(self):
        schema = self.document("schema")
        self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        self.assertIn("interrupts", schema["properties"])

    def test_the_reference_page_is_current(self):
        self.assertEqual((SOURCE / "docs/scenario.md").read_text(), self.data("schema", "--markdown"),
                         "docs/scenario.md: write it anew with `vecusim schema --markdown`")


class Policy(Case):
    """The ideal machine's behaviour is the golden cases' matter; this is about the verb."""

    def setUp(self):
        super().setUp()
        golden = SOURCE / "tests/golden"
        self.vector = sorted(golden.rglob("*.in"))[0]
        self.expected = self.vector.with_suffix(".out")

    def test_it_prints_a_trace(self):
        self.assertEqual(self.data("policy", str(self.vector)), self.expected.read_text())

    def test_the_expected_trace_is_no_difference(self):
        self.data("policy", str(self.vector), "--expect", str(self.expected))

    def test_a_difference_is_shown_and_is_status_1(self):
        lines = self.expected.read_text().splitlines()
        lines[3] += "0"
        wrong = self.write("wrong.out", "\n".join(lines) + "\n")
        output = self.data("policy", str(self.vector), "--expect", wrong, status=1)
        self.assertIn("4", output)

    def test_a_folder_ends_with_a_count(self):
        for name in ("a", "b"):
            (self.folder / name).mkdir()
        good = self.write("a/" + self.vector.name, self.vector.read_text())
        self.write(pathlib.Path(good).with_suffix(".out"), self.expected.read_text())
        self.assertEqual(self.data("policy", str(self.folder)).splitlines()[-1], "1 passed, 0 failed")
        self.write("b/" + self.vector.name, self.vector.read_text())
        self.write("b/" + self.expected.name, self.expected.read_text().replace("D", "R", 1))
        self.assertEqual(self.data("policy", str(self.folder), status=1).splitlines()[-1], "1 passed, 1 failed")

    def test_a_folder_without_cases_is_invalid(self):
        self.assert_invalid("expected golden cases", "policy", str(self.folder))

    def test_no_such_case(self):
        self.assert_invalid("nothing.case.json", "policy", "nothing.case.json")


class Validate(Case):
    def test_a_published_table_is_judged_row_by_row_by_any_number_of_threads(self):
        text = self.data("validate", "ksae2022-native", "--json", "-j1")
        document = json.loads(text)
        self.assertEqual((document["schema"], document["failed"]), ("vecusim/validation/1", 0))
        self.assertEqual(document["passed"], len(document["rows"]))
        path = SOURCE / "validation/cases/ksae2022-native.json"
        self.assertEqual(text, self.data("validate", str(path), "--json", "-j3"))

    def test_a_changed_scenario_is_found_out(self):
        document = json.loads(self.data("validate", "ksae2022-native", "--set", "/board/clock_mhz=1500", "--json", status=1))
        self.assertEqual((document["passed"], document["failed"]), (0, 1))

    def bench(self, *arguments):
        self.data("run", NATIVE, *arguments, "-o", "bench")
        return str(self.folder / "bench/samples-edge.csv")

    def test_a_bench_of_the_same_model_passes_and_of_another_clock_does_not(self):
        same = self.bench("--seed", "77")
        text = self.data("validate", NATIVE, "--data", same)
        self.assertTrue(text.endswith("1 passed, 0 failed\n"), text)
        scenario = self.data("init", NATIVE)
        self.assertEqual(text, self.data("validate", "-", "--data", same, stdin=scenario))
        other = self.bench("--seed", "77", "--set", "/board/clock_mhz=1200")
        text = self.data("validate", NATIVE, "--data", other, status=1)
        self.assertTrue(text.endswith("0 passed, 1 failed\n"), text)
        self.data("validate", NATIVE, "--set", "/board/clock_mhz=1200", "--data", other)

    def test_data_that_cannot_be_used_are_told_with_their_line(self):
        for content, expected in (("", "bench.csv"), ("seq,t_out_us,t_in_us\n", "bench.csv"), ("a,b\n1,2\n", "bench.csv:1"),
                                  ("seq,t_out_us,t_in_us\n0,5,4\n", "bench.csv:2"), ("latency_us\nx\n", "bench.csv:2"),
                                  ("latency_us\n-1\n", "bench.csv:2"), ("latency_us\nnan\n", "bench.csv:2")):
            self.write("bench.csv", content)
            self.assert_invalid(expected, "validate", NATIVE, "--data", "bench.csv")
        self.assert_invalid("nothing.csv", "validate", NATIVE, "--data", "nothing.csv")

    def test_cases_that_are_not_there(self):
        self.assert_invalid('did you mean "ksae2022-native"?', "validate", "ksae2022-nativ")
        self.assert_invalid("nothing.json", "validate", "nothing.json")

    def test_data_need_one_scenario(self):
        self.write("bench.csv", "latency_us\n1\n")
        self.assert_usage("one SCENARIO", "validate", "--data", "bench.csv")
        self.assert_usage("one SCENARIO", "validate", NATIVE, NATIVE, "--data", "bench.csv")
        self.assert_usage("standard input", "validate", "-", "--data", "-")

    def test_repetitions_are_enough_for_an_interval(self):
        self.assert_usage("--reps: expected an integer from 2000 to 1000000", "validate", "--reps", "1999")


class Examples(Case):
    def test_every_example_of_every_help_works(self):
        (self.folder / "out").mkdir()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/vecusim").symlink_to(vecusim.program())
        (self.folder / "tests").symlink_to(SOURCE / "tests")
        (self.folder / "docs").mkdir()
        environment = self.environment(PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        # What examples find in the folder: shards of a sweep, results, a bench's samples and what other tools wrote.
        for shard, name in (("1/3", "a"), ("2/3", "b"), ("3/3", "late"), ("1/3", "part-1"), ("2/3", "part-2")):
            self.data("sweep", "pi4-native", "--vary", "/board/clock_mhz=600,1000,1500", "--shard", shard, "--out", f"{name}.sqlite")
        for name in ("old", "new", "out"):
            (self.folder / name).mkdir(exist_ok=True)
            self.data("run", "pi4-native", "-o", name)
        self.write("bench.csv", "latency_us\n181.2\n183.5\n")
        for name, sample in (("trace.bin", "xentrace-credit2.bin"), ("hist.txt", "cyclictest-histogram.txt"),
                             ("info.txt", "xl-info.txt"), ("vcpus.txt", "xl-vcpu-list.txt"), ("sched.txt", "xl-sched-credit2.txt"),
                             ("domu.cfg", "domain.cfg")):
            shutil.copy(SOURCE / "tests/data" / sample, self.folder / name)  # no link: examples write files too
        for verb in VERBS:
            if verb == "report" and not self.has_charts():
                continue
            for line in re.findall(rf"^  (vecusim {verb}\b.*)$", self.data(verb, "--help"), re.M):
                with self.subTest(line):
                    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=self.folder, env=environment,
                                          capture_output=True, text=True, timeout=300)
                    self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    vecusim.main()
