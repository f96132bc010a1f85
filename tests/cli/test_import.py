"""Files of other tools: recognised, summarised, and turned into samples and scenarios."""

import json
import pathlib

import vecusim
from vecusim import Case

SAMPLES = pathlib.Path(__file__).resolve().parent.parent / "data"


def sample(name):
    return str(SAMPLES / name)


class Import(Case):
    def test_a_summary_says_what_the_file_is(self):
        output = self.data("import", sample("rtla-timerlat.txt"), "-q")
        self.assertIn("rtla timerlat hist\n", output)
        self.assertIn("Thr-000", output)

    def test_the_document(self):
        document = json.loads(self.data("import", sample("cyclictest.json"), sample("xl-info.txt"), "--json", "-q"))
        self.assertEqual(document["schema"], "vecusim/import/1")
        self.assertEqual([file["form"] for file in document["files"]], ["cyclictest-json", "xl"])
        self.assertEqual(document["files"][0]["tables"]["latency"][0]["beyond"], 2)
        self.assertNotIn("board-7", json.dumps(document))  # whose machine it was
        self.assertNotIn("secret", json.dumps(document))

    def test_unknown_content_is_told_with_what_was_looked_for(self):
        path = self.write("letter.txt", "Dear all,\n")
        self.assert_invalid("letter.txt:1:1: /: expected one of: a trace of Xen's scheduler (xentrace); ", "import", path)
        self.assert_invalid("found an empty file", "import", self.write("empty", ""))
        self.assert_invalid("found none of that name", "import", "nowhere.txt")

    def test_a_bad_record_is_an_error_and_the_others_are_shown(self):
        path = self.write("hist.txt", "# Histogram\n000001 000002\n000002 x\n000003 000001\n# Total: 000000003\n")
        status, output, error = self.vecusim("import", path)
        self.assertEqual(status, 3)
        self.assertIn('hist.txt:3:8: /: expected a whole number of at most 10^15, found "x"', error)
        self.assertIn("thread 0  3", output)
        target = pathlib.Path(path).with_name("out.csv")
        self.assertEqual(self.vecusim("import", path, "-o", str(target))[0], 3)
        self.assertFalse(target.exists())

    def test_edges_are_paired_as_asked(self):
        output = self.data("import", sample("saleae.csv"), "--min-gap", "1ms", "--as", "samples")
        self.assertEqual(output, "latency_us,count\n182.5,1\n2185,1\n,2\n")
        self.assert_usage("--timeout: expected a time with its unit", "import", sample("saleae.csv"), "--timeout", "5")

    def test_a_board_becomes_a_scenario_that_can_be_checked(self):
        names = ("xl-info.txt", "xl-vcpu-list.txt", "xl-sched-credit2.txt", "domain.cfg")
        target = str(pathlib.Path(self.write("x", "")).with_name("board.json"))
        status, output, error = self.vecusim("import", *map(sample, names), "-o", target)
        self.assertEqual((status, output), (0, ""))
        self.assertIn("not known: the board: a Raspberry Pi 4", error)
        self.assertEqual(self.vecusim("check", target)[0], 0)

    def test_what_others_wrote_is_data(self):
        name = sample("cyclictest-sums.txt")
        self.assertIn("20", self.data("compare", name, name))


if __name__ == "__main__":
    vecusim.main()
