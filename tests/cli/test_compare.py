"""Comparing results and bench data, from outside."""

import json

import vecusim
from vecusim import Case


class Compare(Case):
    def result(self, name, *options):
        self.write(name, self.data("run", "pi4-native", "--reps", "4", "--json", *options))

    def setUp(self):
        super().setUp()
        self.result("slow.json")
        self.result("fast.json", "--set", "/board/clock_mhz=1500")
        self.result("other.json", "--seed", "9")

    def test_a_gate_fails_on_what_is_surely_slower_and_on_nothing_else(self):
        self.data("compare", "fast.json", "--against", "slow.json")
        self.data("compare", "slow.json", "--against", "fast.json", status=1)
        self.data("compare", "other.json", "--against", "slow.json")
        # Only a gate judges.
        self.data("compare", "fast.json", "slow.json")

    def test_the_document_says_what_the_text_says(self):
        document = json.loads(self.data("compare", "slow.json", "fast.json", "--json"))
        self.assertEqual(document["schema"], "vecusim/comparison/1")
        mean = next(f for f in document["latency"][0]["figures"] if f["name"] == "mean_us")
        self.assertTrue(mean["shown"])
        self.assertLess(mean["interval95"][1], 0)
        text = self.data("compare", "slow.json", "fast.json")
        self.assertIn("less", text)
        self.assertTrue(all(len(line) <= 80 for line in text.splitlines()), text)

    def test_bench_data_of_each_form_is_compared(self):
        self.write("raw.csv", "latency_us\n" + "".join(f"{180 + i % 7}\n" for i in range(50)))
        self.write("table.csv", "n,min_us,mean_us,max_us\n100,175,182,270\n")
        self.assertIn("Kolmogorov", self.data("compare", "raw.csv", "slow.json"))
        self.assertIn("no interval", self.data("compare", "table.csv", "slow.json"))

    def test_what_is_no_result_is_refused(self):
        self.write("list.json", "[1]")
        self.write("case.json", '{"schema": "vecusim/case/1"}')
        for name, reason in (("none", "cannot be read"), ("case.json", "vecusim/result/1"), ("list.json", "")):
            status, output, error = self.vecusim("compare", "slow.json", name)
            self.assertEqual((status, output), (3, ""), name)
            self.assertIn(reason, error)
        self.assertEqual(self.vecusim("compare", "slow.json")[0], 2)

    def test_a_gate_fails_where_something_is_missing_and_says_what(self):
        requirement = '/interrupts/0/requirement={"limit_us":1000,"percentile":50}'
        self.result("judged.json", "--set", requirement)
        self.assertIn("Missing in slow.json: the requirement of edge.",
                      self.data("compare", "slow.json", "--against", "judged.json", status=1))
        document = json.loads((self.folder / "slow.json").read_text())
        document["latency"] = []
        self.write("none.json", document)
        self.assertIn("the latency of edge", self.data("compare", "none.json", "--against", "slow.json", status=1))
        self.result("short.json", "--set", "/interrupts/0/stimulus/count=70")
        self.assertIn("p99_us of edge", self.data("compare", "short.json", "--against", "slow.json", status=1))

    def test_a_gate_that_has_nothing_to_judge_refuses(self):
        for name in ("few.json", "less.json"):
            self.write(name, self.data("run", "pi4-native", "--json", "--set", "/interrupts/0/stimulus/count=5"))
        self.assert_invalid("something that --against can judge", "compare", "few.json", "--against", "less.json")
        self.assertIn("Of one replication: few.json, less.json.", self.data("compare", "few.json", "less.json"))

    def test_a_document_that_lacks_what_a_result_has_is_refused_with_all_places(self):
        document = json.loads((self.folder / "slow.json").read_text())
        del document["latency"][0]["p99_us"]
        document["latency"][0]["ci95"]["mean_us"] = [1]
        del document["replications"]
        self.write("cut.json", document)
        error = self.assert_invalid("/latency/0/p99_us: expected a number or null, found nothing", "compare", "slow.json", "cut.json")
        self.assertIn("/latency/0/ci95/mean_us: expected an array of two numbers, or null", error)
        self.assertIn("/replications: expected a whole number, found nothing", error)

    def test_standard_input_is_one_side_and_a_folder_is_none(self):
        slow = (self.folder / "slow.json").read_text()
        self.assertEqual(self.data("compare", "-", "slow.json", stdin=slow).splitlines()[0], "- → slow.json")
        self.assert_invalid("nothing on standard input", "compare", "-", "slow.json")
        self.assert_usage("expected standard input once", "compare", "-", "-")
        self.assert_usage("expected BEFORE AFTER", "compare", "-")
        self.assert_invalid("found a folder", "compare", ".", "slow.json")
        self.write("empty.json", "")
        self.assert_invalid("found an empty file", "compare", "empty.json", "slow.json")

    def test_flows_are_compared(self):
        for name, rate in (("a.json", "50"), ("b.json", "100")):
            self.write(name, self.data("run", "vc3-rswitch2-rx", "--json", "--set", "/run/warmup_ms=0", "--set", "/run/measure_ms=5",
                                       "--set", f"/network/flows/0/rate_mbps={rate}"))
        self.assertRegex(self.data("compare", "a.json", "b.json"), r"goodput_mbps +\d+\.\d+ → \d+")


if __name__ == "__main__":
    vecusim.main()
