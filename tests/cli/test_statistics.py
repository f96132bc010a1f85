"""Calibration, and what else is said with an interval, from outside: documents, tables, refusals and exit statuses."""

import json
import re

import vecusim
from vecusim import SOURCE, Case

LINES = "/costs/linux.path_lines_scale"
CASE = "ksae2022-native"
QUICK = ["--reps", "60"]
ILL_POSED = str(SOURCE / "tests/cli/ill-posed.csv")
ROW = "row,n,min_us,mean_us,max_us\n"


class Calibrate(Case):
    def test_a_published_row_gives_a_cost_and_a_table_that_can_be_used(self):
        document = self.document("calibrate", "pi4-native", "--data", CASE, "--fit", LINES + "=0.5:2", *QUICK, "--json", "-o", "own.json")
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
        arguments = ["calibrate", "pi4-native", "--data", CASE, "--fit", LINES + "=0.5:2", *QUICK, "--json"]
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

    def ill_posed(self, *held_out, status=1):
        # Enough experiments to be judged by.
        arguments = ["calibrate", "pi4-native", "--data", ILL_POSED, "--fit", LINES + "=0.5:2", "--reps", "200", "--json", "--quiet"]
        for row in held_out:
            arguments += ["--holdout", row]
        return json.loads(self.data(*arguments, "-o", "own.json", status=status))

    def test_rows_that_contradict_each_other_end_with_1_and_no_table(self):
        document = self.ill_posed("odd")
        self.assertEqual(document["verdict"], "contradictory")
        self.assertRegex(document["reasons"][0], "the rows monday and tuesday contradict each other")
        self.assertEqual(self.files(), [])

    def test_a_row_that_contradicts_itself_ends_with_1_and_no_table(self):
        document = self.ill_posed("tuesday")
        self.assertEqual(document["verdict"], "contradictory")
        self.assertTrue(any("the row odd contradicts itself" in reason for reason in document["reasons"]))
        self.assertEqual(self.files(), [])

    def test_what_is_held_out_contradicts_nothing_and_is_judged(self):
        document = self.ill_posed("odd", "tuesday", status=0)
        self.assertEqual(document["verdict"], "identified")
        self.assertEqual([row["role"] for row in document["rows"]], ["fit", "predicted", "predicted"])
        self.assertFalse(all(statistic["inside"] for statistic in document["rows"][1]["statistics"]))
        self.assertEqual(self.files(), ["own.json"])

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


    def test_costs_fitted_together_keep_their_correlation_in_the_table(self):
        self.data("run", "pi4-native", "--seed", "7", "--set", "/interrupts/0/stimulus/count=30", "-o", "slow")
        self.data("run", "pi4-native", "--seed", "8", "--set", "/interrupts/0/stimulus/count=30", "--set",
                  "/board/clock_mhz=1500", "-o", "fast")
        document = self.document("calibrate", "pi4-native", "--data", "slow/samples-edge.csv", "--data",
                                 "fast/samples-edge.csv@/board/clock_mhz=1500", "--fit", LINES + "=0.3:3", "--fit",
                                 "/costs/linux.path_cycles_scale=0.3:3", *QUICK, "--json", "-o", "own.json")
        table = json.loads((self.folder / "own.json").read_text())["values"]
        correlation = document["correlation"][0][1]
        self.assertEqual(table["linux.path_lines_scale"]["correlations"],
                         [{"with": "linux.path_cycles_scale", "correlation": correlation}])
        self.assertEqual(table["linux.path_cycles_scale"]["correlations"],
                         [{"with": "linux.path_lines_scale", "correlation": correlation}])
        row = self.document("validate", CASE, "--set", '/costs=["pi4","own.json"]', "--json")["rows"][0]
        self.assertTrue(all(s["interval95_with_parameters"] for s in row["statistics"]))

    def test_a_histogram_and_the_samples_it_counts_are_one_bench(self):
        self.data("run", "pi4-native", "--seed", "7", "-o", "own")
        document = self.fit_samples("own/samples-edge.csv")
        self.assertEqual([s["name"] for s in document["rows"][0]["statistics"]],
                         ["min_us", *(f"p{p}_us" for p in range(5, 100, 10)), "max_us"])
        self.write("latencies.csv", "latency_us\n" + "".join(f"{value}\n" for value in (180.1, 180.1, 182.5, 190.25) * 30))
        self.write("histogram.csv", "latency_us,count\n180.10,60\n182.50,30\n190.25,30\n")
        of_latencies, of_histogram = (self.fit_samples(name) for name in ("latencies.csv", "histogram.csv"))
        self.assertEqual(of_latencies["costs"], of_histogram["costs"])

    def fit_samples(self, name):
        status, output, error = self.vecusim("calibrate", "pi4-native", "--data", name, "--fit", LINES + "=0.5:2", *QUICK, "--json")
        self.assertIn(status, (0, 1), error)
        return json.loads(output)

    def test_printed_percentiles_are_fitted(self):
        data = self.write("own.csv", "row,n,p50_us,p90_us\na,400,181,184\n")
        document = self.document("calibrate", "pi4-native", "--data", data, "--fit", LINES + "=0.5:2", *QUICK, "--json")
        self.assertEqual([s["name"] for s in document["rows"][0]["statistics"]], ["p50_us", "p90_us"])
        self.assertAlmostEqual(document["costs"][0]["value"], 1.09, delta=0.02)

    def test_of_several_interrupts_one_must_be_named(self):
        data = self.write("own.csv", ROW + "a,20,800,1000,1500\n")
        common = ["pi4-xen-together", "--data", data]
        for verb in (["validate", *common], ["calibrate", *common, "--fit", LINES + "=0.5:2"]):
            self.assert_invalid("expected one interrupt, or to be told whose latency was measured (--interrupt", *verb)
            self.assert_invalid('did you mean "edge"', *verb, "--interrupt", "egde")
        status, output, error = self.vecusim("validate", *common, "--interrupt", "edge", "--json")
        self.assertIn(status, (0, 1), error)
        self.assert_usage("--interrupt: only with --data", "validate", CASE, "--interrupt", "edge")

    def test_a_single_figure_at_the_bound_is_not_identified(self):
        data = self.write("one.csv", "latency_us\n182\n")
        document = json.loads(self.data("calibrate", "pi4-native", "--data", data, "--fit", LINES + "=0.5:2", *QUICK,
                                        "--json", status=1))
        self.assertEqual(document["verdict"], "not identified")
        self.assertIsNone(document["p_value"])
        self.assertIn("than the bound that was given", document["reasons"][0])


class Validate(Case):
    def test_the_distribution_of_samples_is_compared(self):
        self.data("run", "pi4-native", "--seed", "7", "-o", "own")
        row = self.document("validate", "pi4-native", "--data", "own/samples-edge.csv", "--json")["rows"][0]
        distribution = row["distribution"]
        self.assertTrue(0.0 < distribution["ks_distance"] < 0.5)
        self.assertTrue(0.05 < distribution["p_value"] <= 1.0, distribution)
        lo, hi = distribution["wasserstein_interval95"]
        self.assertTrue(0.0 <= lo <= hi)

    def test_few_samples_are_not_compared_and_the_reason_is_told(self):
        data = self.write("few.csv", "latency_us\n" + "181\n" * 19)
        _, output, _ = self.vecusim("validate", "pi4-native", "--data", data, "--json")
        row = json.loads(output)["rows"][0]
        self.assertIsNone(row["distribution"])
        self.assertIn("19 samples, at least 20 are needed", row["note"])

    def test_a_page_is_asked_for_alone(self):
        self.assert_usage("--markdown: not together with --json", "validate", CASE, "--json", "--markdown")


class Plan(Case):
    def test_claims_get_edges_bench_time_and_a_reason(self):
        document = self.document("plan", "pi4-native", "--claim", "p99.99", "--claim", "mean ± 1%", "--json")
        self.assertEqual(document["schema"], "vecusim/plan/1")
        first, second = document["claims"]
        self.assertEqual((first["edges"], first["bench_s"]), (29956, 29956.0))
        self.assertGreater(second["edges"], 10)
        self.assertTrue(second["reason"])

    def test_a_requirement_gives_misses_and_a_false_claim_ends_with_1(self):
        own = self.preset()
        own["interrupts"][0]["requirement"] = {"limit_us": 200, "percentile": 90}
        self.write("own.json", own)
        document = json.loads(self.data("plan", "own.json", "--claim", "miss_ppm < 10", "--json", status=1))
        self.assertIsNone(document["claims"][0]["edges"])
        self.assertIn("the claim is not true in the model", document["claims"][0]["reason"])
        own["interrupts"][0]["requirement"]["limit_us"] = 5000
        self.write("own.json", own)
        document = self.document("plan", "own.json", "--claim", "miss_ppm < 10", "--json")
        self.assertEqual(document["claims"][0]["edges"], 299572)

    def test_two_scenarios_are_told_apart(self):
        text = self.data("plan", "pi4-native", "--against", "pi4-native", "--against-set", "/board/clock_mhz=650")
        self.assertRegex(text, r"means apart +\d+")
        self.assertRegex(text, r"distributions apart +\d+")

    def test_other_words_are_refused(self):
        self.assert_usage('found "p98"', "plan", "pi4-native", "--claim", "p98")
        self.assert_usage("--difference-us: expected a number above 0", "plan", "pi4-native", "--against", "pi4-native",
                          "--difference-us", "x")


class Sensitivity(Case):
    def test_the_costs_come_by_their_swing(self):
        document = self.document("sweep", "pi4-native", "--sensitivity", "--json", "--reps", "5")
        self.assertEqual(document["schema"], "vecusim/sensitivity/1")
        swings = [cost["swing_us"] for cost in document["costs"]]
        self.assertEqual(swings, sorted(swings, reverse=True))
        self.assertGreater(len(swings), 10)
        for cost in document["costs"]:
            lo, hi = cost["at_hi"]["interval95"]
            self.assertTrue(lo <= cost["at_hi"]["change_us"] <= hi, cost)

    def test_threads_do_not_change_a_byte(self):
        arguments = ["sweep", "pi4-native", "--sensitivity", "--json", "--reps", "5"]
        self.assertEqual(self.data(*arguments, "-j1"), self.data(*arguments, "-j3"))

    def test_it_does_not_go_together_with_a_grid(self):
        self.assert_usage("--sensitivity: not together with --vary", "sweep", "pi4-native", "--sensitivity", "--vary",
                          "/run/seed=1,2")
        self.assert_usage("--statistic: only with --sensitivity", "sweep", "pi4-native", "--statistic", "max", "--vary",
                          "/run/seed=1,2")

    def test_a_verbose_run_tells_what_it_rests_on(self):
        status, _, error = self.vecusim("run", "pi4-native", "-v")
        self.assertEqual(status, 0)
        self.assertIn("what mean_us of edge rests on", error)


class Until(Case):
    def test_a_run_ends_when_its_interval_is_narrow_and_says_why(self):
        status, output, error = self.vecusim("run", "pi4-native", "--until", "mean ± 1%", "--json")
        self.assertEqual(status, 0)
        result = json.loads(output)
        mean = result["latency"][0]["mean_us"]
        lo, hi = result["latency"][0]["ci95"]["mean_us"]
        self.assertTrue(hi - mean <= 0.01 * mean and mean - lo <= 0.01 * mean)
        self.assertRegex(error, rf"(?m)^{result['replications']} replications: edge: mean_us .*\n--until mean ± 1%: met$")
        again = self.document("run", "pi4-native", "--reps", str(result["replications"]), "--json")
        self.assertEqual(again, result)

    def test_other_words_are_refused(self):
        self.assert_usage('expected "p99_us ± 2%"', "run", "pi4-native", "--until", "p99")
        self.assert_usage("--until:1:1: /: expected p99.99", "run", "pi4-native", "--until", "soon")


if __name__ == "__main__":
    vecusim.main()
