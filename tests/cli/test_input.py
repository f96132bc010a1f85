"""What the program says of a scenario that it cannot use: all problems at once, with their places, and status 3."""

import json
import os
import pathlib
import re
import unittest

import vecusim
from vecusim import Case

# What load_scenario accepts at most.
MEBIBYTE = 1 << 20


class Malformed(Case):
    def check(self, content, expected, name="bad.json"):
        path = self.write(name, content)
        for verb in (["run"], ["sweep", "--vary", "/run/seed=1,2"], ["explain"]):
            self.assert_invalid(expected, *verb, path)
        status, output, _ = self.vecusim("check", path)
        self.assertEqual(status, 3)
        self.assertIn(expected, output)

    def test_an_empty_file(self):
        self.check("", "bad.json:1:1: /: expected")

    def test_blanks_alone(self):
        self.check(" \n\n ", "bad.json:")

    def test_no_json_at_all(self):
        self.check("hello\n", "bad.json:1:1: /: expected")

    def test_binary_rubbish(self):
        self.check(bytes(range(256)) * 100, "bad.json:1:1: /: expected")

    def test_invalid_utf8(self):
        self.check(b'{"title": "\xff\xfe"}', "bad.json:1:")

    def test_a_truncated_file_names_its_end(self):
        text = json.dumps(self.preset(), indent=2)
        cut = text[: len(text) // 2]
        line = cut.count("\n") + 1
        self.check(cut, f"bad.json:{line}:")

    def test_every_truncation_is_an_invalid_input(self):
        text = json.dumps(self.preset())
        for length in range(0, len(text) - 1, max(1, len(text) // 40)):
            status, output, error = self.vecusim("run", "-", stdin=text[:length])
            self.assertEqual((status, output), (3, ""), text[:length])
            self.assertRegex(error, r"\A<?[^:\n]+>?:1:\d+: /", text[:length])

    def test_another_kind_of_document(self):
        for content in ("[]", "null", "3", '"text"', "true"):
            self.check(content, "bad.json:1:1: /: expected")

    def test_an_unknown_schema_is_named(self):
        self.check('{"schema": "vecusim/scenario/9"}', "/schema: expected")

    def test_nan_and_infinity_are_no_json(self):
        text = json.dumps(self.preset())
        for word in ("NaN", "Infinity", "-Infinity", "nan"):
            self.check(re.sub(r'"seed": \d+', f'"seed": {word}', text), "bad.json:1:")

    def test_a_number_that_no_double_holds(self):
        scenario = json.dumps(self.preset())
        self.check(scenario.replace('"clock_mhz": ', '"clock_mhz": 1e999, "x": ', 1), "/board/clock_mhz: expected")

    def test_deep_nesting_is_refused_not_followed(self):
        self.check("[" * 100_000 + "]" * 100_000, "bad.json:1:")
        self.check('{"a":' * 100_000 + "1" + "}" * 100_000, "bad.json:1:")

    def test_a_key_given_twice(self):
        text = json.dumps(self.preset())
        self.check(text.replace('"title":', '"title": "x", "title":', 1), "/title: expected")


class Huge(Case):
    def test_100_megabytes_are_refused_quickly_and_by_their_size(self):
        path = self.folder / "huge.json"
        with open(path, "wb") as file:
            file.write(b'{"title": "')
            for _ in range(100):
                file.write(b"x" * MEBIBYTE)
            file.write(b'"}')
        error = self.assert_invalid("huge.json", "run", str(path))
        self.assertLess(len(error), 500)

    def test_an_endless_standard_input_is_refused(self):
        reader, writer = os.pipe()
        with self.start("run", "-", stdin=reader) as process:
            os.close(reader)
            try:
                for _ in range(100):
                    os.write(writer, b" " * MEBIBYTE)
            except BrokenPipeError:
                pass
            os.close(writer)
            output, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (3, b""))
        self.assertLess(len(error), 500)

    def test_a_million_values_of_the_wrong_type_are_not_a_million_lines(self):
        path = self.write("many.json", '{"domains": [' + ",".join(["1"] * 1_000_000) + "]}")
        error = self.assert_invalid("many.json:1:", "run", path)
        self.assertLess(error.count("\n"), 1100)


class Wrong(Case):
    """A scenario that is JSON and not right."""

    def problem(self, change, expected):
        scenario = self.preset()
        change(scenario)
        path = self.write("bad.json", scenario)
        error = self.assert_invalid(expected, "run", path)
        self.assertRegex(error, r"\A(\S*bad\.json:\d+:\d+: /[^\n]*\n)+\Z")
        return error

    def test_an_unknown_key_gets_the_nearest_one(self):
        def change(scenario):
            scenario["domains"][0]["taks"] = scenario["domains"][0].pop("tasks")

        self.problem(change, '/domains/0/taks: expected a known key, found "taks"; did you mean "tasks"?')

    def test_an_unknown_model_lists_what_there_is(self):
        error = self.problem(lambda s: s["board"].update(model="pi5"), "/board/model: expected")
        self.assertIn("pi4", error)

    def test_a_wrong_type(self):
        self.problem(lambda s: s["board"].update(clock_mhz="fast"), '/board/clock_mhz: expected')
        self.problem(lambda s: s.update(domains={}), "/domains: expected")
        self.problem(lambda s: s["run"].update(seed="one"), "/run/seed: expected")
        self.problem(lambda s: s["run"].update(seed=1.5), "/run/seed: expected")
        self.problem(lambda s: s.update(run=None), "/run: expected")

    def test_a_value_out_of_range(self):
        self.problem(lambda s: s["board"].update(clock_mhz=0), "/board/clock_mhz: expected")
        self.problem(lambda s: s["board"].update(clock_mhz=-600), "/board/clock_mhz: expected")
        self.problem(lambda s: s["run"].update(replications=0), "/run/replications: expected")
        self.problem(lambda s: s["interrupts"][0]["stimulus"].update(period_ms=-1), "/interrupts/0/stimulus/period_ms: expected")

    def test_a_missing_domain(self):
        self.problem(lambda s: s["interrupts"][0].update(target="dom7"), '/interrupts/0/target: expected')

    def test_no_domain_at_all(self):
        self.problem(lambda s: s.update(domains=[]), "/domains: expected")

    def test_several_problems_are_told_at_once_and_in_order(self):
        def change(scenario):
            scenario["board"]["clock_mhz"] = 0
            scenario["run"]["seed"] = "one"
            scenario["titel"] = "x"

        error = self.problem(change, "/board/clock_mhz: expected")
        self.assertIn("/run/seed: expected", error)
        self.assertIn("/titel: expected", error)
        places = [tuple(map(int, place)) for place in re.findall(r":(\d+):(\d+): /", error)]
        self.assertEqual(places, sorted(places))

    def test_places_are_those_of_the_file(self):
        scenario = self.preset()
        scenario["board"]["clock_mhz"] = 0
        path = self.write("bad.json", scenario)
        lines = pathlib.Path(path).read_text().splitlines()
        line, column = map(int, re.search(r"bad\.json:(\d+):(\d+):", self.assert_invalid("", "run", path)).groups())
        self.assertTrue(lines[line - 1][column - 1 :].startswith("0"), lines[line - 1])

    def test_pins_and_cores_that_are_not_there(self):
        self.problem(lambda s: s["interrupts"][0].update(source="gpio99"), "/interrupts/0/source: expected")

    def test_problems_as_a_document(self):
        scenario = self.preset()
        scenario["board"]["clock_mhz"] = 0
        path = self.write("bad.json", scenario)
        for verb in ("run", "check"):
            status, output, _ = self.vecusim(verb, path, "--json", "--quiet")
            document = json.loads(output)
            self.assertEqual((status, document["schema"]), (3, "vecusim/problems/1"))
            problem = document["problems"][0]
            self.assertEqual(set(problem), {"file", "line", "column", "pointer", "expected", "found", "suggestion",
                                            "severity", "rule"})
            self.assertEqual((problem["pointer"], problem["severity"]), ("/board/clock_mhz", "error"))


class Files(Case):
    def test_no_such_scenario(self):
        self.assert_invalid("nothing.json", "run", "nothing.json")

    def test_a_mistyped_preset_gets_the_nearest_one(self):
        self.assert_invalid('did you mean "pi4-native"?', "run", "pi4-natvie")
        self.assert_invalid('did you mean "pi4-native"?', "init", "pi4-natvie")

    def test_a_folder(self):
        self.assert_invalid(str(self.folder), "run", str(self.folder))

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_no_permission(self):
        path = self.write("secret.json", self.preset())
        os.chmod(path, 0)
        self.assert_invalid("secret.json", "run", path)

    def test_a_device_that_cannot_be_read(self):
        self.assert_invalid("/proc/self/mem", "run", "/proc/self/mem")

    def test_a_name_of_many_characters(self):
        self.assert_invalid("", "run", "x" * 5000)

    def test_a_name_with_a_line_end_stays_one_line(self):
        error = self.assert_invalid("", "run", "a\nb")
        self.assertEqual(error.count("\n"), 1)

    def test_nothing_is_written_before_the_input_is_accepted(self):
        self.write("bad.json", "{}")
        self.vecusim("run", "bad.json", "-o", "out")
        self.vecusim("sweep", "bad.json", "--vary", "/run/seed=1,2", "--csv", "out.csv")
        self.vecusim("sweep", "pi4-native", "--vary", "/board/clock_mhz=600,0", "--csv", "out.csv")
        self.assertEqual(self.files(), ["bad.json"])


class Settings(Case):
    def test_a_value_out_of_range_names_the_option(self):
        self.assert_invalid("/board/clock_mhz: expected", "run", "pi4-native", "--set", "/board/clock_mhz=0")

    def test_an_unknown_place(self):
        self.assert_invalid('did you mean "clock_mhz"?', "run", "pi4-native", "--set", "/board/clock_mh=600")

    def test_the_last_of_two_counts(self):
        document = self.document("run", "pi4-native", "--json", "--set", "/run/seed=5", "--set", "/run/seed=6")
        self.assertEqual(document["seed"], 6)

    def test_an_option_counts_more_than_set(self):
        document = self.document("run", "pi4-native", "--json", "--set", "/run/seed=5", "--seed", "7")
        self.assertEqual(document["seed"], 7)

    def test_an_unknown_cost_gets_the_nearest_one(self):
        wrong = "/costs/core.dram_lin/value"
        expected = '/costs/core.dram_lin: expected a cost that the scenario has, found "core.dram_lin"'
        for call in (["run", "pi4-native", "--set", wrong + "=1"], ["sweep", "pi4-native", "--vary", wrong + "=1,2"],
                     ["sweep", "pi4-native", "--find", wrong + "=1:2", "--meets", "p90_us <= 200"]):
            self.assertIn('did you mean "core.dram_line"?', self.assert_invalid(expected, *call))
        self.assert_invalid('did you mean "clock_mhz"?', "sweep", "pi4-native", "--vary", "/board/clock_mh=600,700")
        self.assert_invalid('did you mean "clock_mhz"?', "sweep", "pi4-native", "--find", "/board/clock_mh=600:700", "--meets",
                            "p90_us <= 200")

    def test_a_cost_by_its_merged_pointer_and_by_the_document(self):
        scenario = self.document("run", "pi4-native", "--json")["scenario"]
        name = next(name for name, cost in scenario["costs"].items() if "value" in cost)
        document = self.document("run", "pi4-native", "--json", "--set", f"/costs/{name}/value=123")
        self.assertEqual(document["scenario"]["costs"][name]["value"], 123)


if __name__ == "__main__":
    vecusim.main()
