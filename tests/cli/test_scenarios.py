"""Every scenario tells the story that stands beside it: NAME.json run gives NAME.out, to the character."""

import json

import vecusim
from vecusim import SOURCE, Case

SCENARIOS = sorted((SOURCE / "scenarios").glob("*.json"))
# Warnings that are what a scenario is about.
MEANT = {"pi4-xen-console": ["sync-console"]}


class Scenarios(Case):
    def test_each_has_its_expected_output(self):
        self.assertGreaterEqual(len(SCENARIOS), 2)
        for scenario in SCENARIOS:
            with self.subTest(scenario.name):
                _, output, error = self.vecusim("run", str(scenario), "--no-color", "--quiet")
                self.assertEqual(error, "")
                self.assertEqual(output, scenario.with_suffix(".out").read_text())

    def test_each_is_clean(self):
        for scenario in SCENARIOS:
            with self.subTest(scenario.name):
                status, output, _ = self.vecusim("check", str(scenario), "--json")
                rules = [problem["rule"] for problem in json.loads(output)["problems"]]
                self.assertEqual((status, rules), (0, MEANT.get(scenario.stem, [])))

    def test_another_number_moves_the_prediction(self):
        means = []
        for clock in (600, 1500):
            document = self.document("run", "pi4-native", "--json", "--set", f"/board/clock_mhz={clock}")
            means.append(document["latency"][0]["mean_us"])
        self.assertGreater(means[0], 1.2 * means[1])

    def test_a_result_can_be_run_again_and_gives_itself(self):
        first = self.data("run", "pi4-native", "--seed", "7", "--json")
        path = self.folder / "result.json"
        path.write_text(first)
        again = json.loads(self.data("run", str(path), "--json"))
        self.assertEqual(json.loads(first)["latency"], again["latency"])


if __name__ == "__main__":
    vecusim.main()
