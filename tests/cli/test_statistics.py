"""Calibration from outside: its documents, tables, refusals and exit statuses."""

import json
import re

import vecusim
from vecusim import SOURCE, Case

LINES = "/costs/linux.path_lines_scale"
CASE = "ksae2022-native"
QUICK = ["--reps", "60"]
ROW = "row,n,min_us,mean_us,max_us\n"


class Calibrate(Case):
    def test_a_published_row_gives_a_cost_and_a_table_that_can_be_used(self):
        document = self.document("calibrate", "pi4-native", "--data", CASE, "--fit", LINES, *QUICK, "--json", "-o", "own.json")
        self.assertEqual(document["schema"], "vecusim/calibration/1")
        self.assertEqual(document["verdict"], "identified")
        (cost,) = document["costs"]
        lo, hi = cost["interval95"]
        self.assertTrue(1.0 < lo < cost["value"] < hi < 1.15, cost)
        (row,) = document["rows"]
        self.assertEqual([s["name"] for s in row["statistics"]], ["min_us", "mean_us", "max_us"])
        table = json.loads((self.folder / "own.json").read_text())
        entry = table["values"]["linux.path_lines_scale"]
        self.assertEqual((entry["provenance"], entry["fitted_to"], entry["range"]), ("fitted", ["native"], [lo, hi]))
        self.assertEqual(entry["value"], cost["value"])
        used = self.document("run", "pi4-native", "--set", '/costs=["pi4","own.json"]', "--json")
        self.assertEqual(used["scenario"]["costs"]["linux.path_lines_scale"]["value"], cost["value"])

    def test_threads_do_not_change_a_byte(self):
        arguments = ["calibrate", "pi4-native", "--data", CASE, "--fit", LINES, *QUICK, "--json"]
        self.assertEqual(self.data(*arguments, "-j1"), self.data(*arguments, "-j3"))

    def test_a_cost_that_does_not_exist_gets_the_nearest(self):
        self.assert_invalid('did you mean "/costs/linux.path_lines_scale"?', "calibrate", "pi4-native", "--data", CASE,
                            "--fit", "/costs/linux.path_line_scale")
        self.assert_invalid('did you mean "/costs/linux.path_lines_scale"?', "calibrate", "pi4-native", "--data", CASE,
                            "--fit", "linux.path_lines_scale=0.1:2")

    def test_bounds_and_kinds_are_checked(self):
        for fit, expected in ((LINES + "=2:1", "expected LO:HI with 0 <= LO < HI"), (LINES + "=x", "expected LO:HI"),
                              ("/costs/linux.masked_window", "expected a number"),
                              ("/costs/linux.masked_window/law/alpha", "for its table gives no range"),
                              ("/board/clock_mhz=1:2", "expected a cost of the scenario")):
            self.assert_invalid(expected, "calibrate", "pi4-native", "--data", CASE, "--fit", fit)

    def test_more_free_costs_than_figures_are_refused_before_anything_is_written(self):
        data = self.write("mean.csv", "n,mean_us\n100,182\n")
        error = self.assert_invalid("1 figure in 1 row cannot bear 2 free costs", "calibrate", "pi4-native", "--data", data,
                                    "--fit", LINES, "--fit", "/costs/linux.path_cycles_scale", "-o", "own.json")
        self.assertIn("expected as many figures as free costs", error)
        self.assertEqual(self.files(), ["mean.csv"])

    def test_rows_that_contradict_each_other_end_with_1_and_no_table(self):
        data = self.write("days.csv", ROW + "monday,100,175,182,270\ntuesday,100,193,200,297\n")
        arguments = ["calibrate", "pi4-native", "--data", data, "--fit", LINES + "=0.5:2", *QUICK, "--json", "--quiet"]
        document = json.loads(self.data(*arguments, "-o", "own.json", status=1))
        self.assertEqual(document["verdict"], "contradictory")
        self.assertRegex(document["reasons"][0], "the rows monday and tuesday contradict each other")
        self.assertEqual(self.files(), ["days.csv"])
        held = json.loads(self.data(*arguments, "--holdout", "tuesday"))
        self.assertEqual([row["role"] for row in held["rows"]], ["fit", "predicted"])
        self.assertFalse(all(s["inside"] for s in held["rows"][1]["statistics"]))

    def test_a_row_that_contradicts_itself_ends_with_1(self):
        data = self.write("own.csv", ROW + "odd,100,175,176,1000\n")
        document = json.loads(self.data("calibrate", "pi4-native", "--data", data, "--fit", LINES + "=0.5:2", *QUICK, "--json",
                                        status=1))
        self.assertEqual(document["verdict"], "contradictory")
        self.assertTrue(any("the row odd contradicts itself" in reason for reason in document["reasons"]))

    def test_an_unknown_row_to_hold_out_gets_the_nearest(self):
        self.assert_invalid('did you mean "native"?', "calibrate", "pi4-native", "--data",
                            str(SOURCE / "validation/cases/ksae2022-native.json"), "--fit", LINES, "--holdout", "nativ")

    def test_what_was_set_on_the_bench_belongs_to_its_file(self):
        data = self.write("own.csv", ROW + "a,100,139,145,208\n")
        document = self.document("calibrate", "pi4-native", "--data", data + "@/board/clock_mhz=1500", "--fit",
                                 LINES + "=0.5:2", *QUICK, "--json")
        self.assertAlmostEqual(document["costs"][0]["value"], 1.09, delta=0.04)
        self.assert_invalid("/board/clock_mzh: expected a known key", "calibrate", "pi4-native", "--data",
                            data + "@/board/clock_mzh=1500", "--fit", LINES, *QUICK)

    def test_data_and_a_free_cost_are_needed(self):
        self.assert_usage("expected --data FILE", "calibrate", "pi4-native", "--fit", LINES)
        self.assert_usage("expected --fit PTR=LO:HI", "calibrate", "pi4-native", "--data", CASE)


if __name__ == "__main__":
    vecusim.main()
