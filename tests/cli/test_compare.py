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


if __name__ == "__main__":
    vecusim.main()
