"""Verbs, options and their values: help texts, and what is said of a command line that cannot be meant."""

import re
import shutil
import subprocess

import vecusim
from vecusim import VERBS, Case


class Overview(Case):
    def test_help_lists_every_verb_and_only_those(self):
        output = self.data("--help")
        listed = re.findall(r"^  ([a-z]+) ", output, re.M)
        self.assertEqual(listed, VERBS)

    def test_short_help_is_the_same(self):
        self.assertEqual(self.data("-h"), self.data("--help"))

    def test_version_is_one_line(self):
        self.assertRegex(self.data("--version"), r"\Avecusim \d+\.\d+\.\d+\n\Z")

    def test_a_program_alone_says_that_its_data_are_not_there(self):
        alone = shutil.copy(vecusim.program(), self.folder / "alone")
        for group in ("presets", "costs"):
            done = subprocess.run([alone, "list", group], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, f"{group}: none, as the program's folder of data is not there\n")

    def test_no_arguments_is_a_usage_error_that_shows_the_overview(self):
        status, output, error = self.vecusim()
        self.assertEqual((status, output, error), (2, "", self.data("--help")))

    def test_every_help_fits_in_100_columns(self):
        for arguments in [["--help"]] + [[verb, "--help"] for verb in VERBS]:
            for line in self.data(*arguments).splitlines():
                self.assertLess(len(line), 100, line)

    def test_every_verb_has_three_examples_and_its_options(self):
        for verb in VERBS:
            output = self.data(verb, "--help")
            examples = re.findall(rf"^  vecusim {verb} .+$|^  vecusim {verb}$", output, re.M)
            self.assertEqual(len(examples), 3, output)
            self.assertIn("--json", output)


class Words(Case):
    def test_an_unknown_verb_gets_the_nearest_one(self):
        self.assert_usage('unknown verb "rnu"; did you mean "run"?', "rnu", "pi4-native")
        self.assert_usage('unknown verb "valdiate"; did you mean "validate"?', "valdiate")

    def test_an_unknown_verb_far_from_all_gets_no_suggestion(self):
        status, _, error = self.vecusim("frobnicate")
        self.assertEqual(status, 2)
        self.assertNotIn("did you mean", error)

    def test_an_option_in_place_of_the_verb_is_refused(self):
        self.assert_usage('expected a verb, found the option "--seed"', "--seed", "1")

    def test_an_unknown_option_gets_the_nearest_one(self):
        self.assert_usage('unknown option "--sead" of run; did you mean "--seed"?', "run", "pi4-native", "--sead", "1")
        self.assert_usage('unknown option "--sead" of run; did you mean "--seed"?', "run", "pi4-native", "--sead=1")
        self.assert_usage('unknown option "--jsno" of list; did you mean "--json"?', "list", "--jsno")

    def test_an_abbreviated_option_is_refused(self):
        self.assert_usage('unknown option "--js"', "run", "pi4-native", "--js")

    def test_an_option_of_another_verb_is_refused(self):
        self.assert_usage('unknown option "--vary" of run', "run", "pi4-native", "--vary", "/run/seed=1,2")

    def test_a_short_option_that_is_none_is_refused(self):
        self.assert_usage('unknown option "-x" of run', "run", "pi4-native", "-x")

    def test_a_missing_operand_is_named(self):
        for verb in ("run", "sweep", "explain"):
            self.assert_usage(f"{verb}: expected SCENARIO, found nothing", verb)
        self.assert_usage("check: expected SCENARIO…, found nothing", "check")
        self.assert_usage("init: expected PRESET|BOARD|TRACE, found nothing", "init")
        self.assert_usage("policy: expected CASE, found nothing", "policy")

    def test_an_operand_too_many_is_named(self):
        self.assert_usage('run: unexpected "pi4-xen-published"', "run", "pi4-native", "pi4-xen-published")
        self.assert_usage('schema: unexpected "x"', "schema", "x")

    def test_verbs_that_are_not_there_are_unknown(self):
        for verb in ("help", "version", "open"):
            self.assert_usage(f'unknown verb "{verb}"', verb)


class Values(Case):
    def refuse(self, expected, *arguments):
        self.assert_usage(expected, "run", "pi4-native", *arguments)

    def test_seed_is_a_whole_number(self):
        for value in ("-1", "x", "1.5", "1e3", "0x10", "9223372036854775808", "99999999999999999999999", " 1", "+1"):
            self.refuse(f'--seed: expected an integer from 0 to 9223372036854775807, found "{value}"', f"--seed={value}")
        self.refuse('found "-1"', "--seed", "-1")

    def test_reps_is_a_positive_number(self):
        for value in ("0", "-1", "x", "1000001"):
            self.refuse(f'--reps: expected an integer from 1 to 1000000, found "{value}"', f"--reps={value}")

    def test_jobs_is_a_positive_number(self):
        for value in ("0", "-1", "x", "1025"):
            self.refuse(f'--jobs: expected an integer from 1 to 1024, found "{value}"', f"--jobs={value}")
        self.refuse('--jobs: expected an integer from 1 to 1024, found "0"', "-j0")
        self.refuse('--jobs: expected an integer from 1 to 1024, found "0"', "-j", "0")
        self.refuse('--jobs: expected an integer from 1 to 1024, found "-1"', "-j", "-1")

    def test_worst_is_a_positive_number(self):
        for value in ("0", "-1", "x", "10001"):
            self.assert_usage(f'--worst: expected an integer from 1 to 10000, found "{value}"', "explain", "pi4-native",
                              f"--worst={value}")

    def test_progress_is_one_of_three_words(self):
        self.refuse('--progress: expected auto, on or off, found "offf"; did you mean "off"?', "--progress", "offf")
        self.refuse('--progress: expected auto, on or off, found "always"', "--progress", "always")

    def test_a_missing_value_is_an_error(self):
        for option in ("--seed", "--reps", "-j", "--set", "-o", "--progress"):
            self.refuse("", option)

    def test_an_empty_value_is_an_error(self):
        self.refuse("--output: expected a value, found nothing", "-o", "")
        self.refuse("--seed", "--seed", "")

    def test_an_option_that_cannot_be_repeated_is_not(self):
        self.refuse("--seed: given more than once", "--seed", "1", "--seed", "2")

    def test_set_is_a_pointer_and_a_value(self):
        for setting in ("nonsense", "run/seed=1", "/run/seed"):
            self.refuse("--set", "--set", setting)

    def test_vary_is_a_pointer_and_values(self):
        self.assert_usage("sweep: expected --vary PTR=VALUES, found none", "sweep", "pi4-native")
        for variation in ("nonsense", "/run/seed", "/run/seed=", "/run/seed=1:0:1", "/run/seed=1:5:0", "/run/seed=1:5:-1",
                          "/run/seed=log:0:5:3", "/run/seed=log:1:5:0", "run/seed=1,2"):
            self.assert_usage("--vary", "sweep", "pi4-native", "--vary", variation)

    def test_csv_and_json_cannot_share_standard_output(self):
        self.assert_usage("--csv -", "sweep", "pi4-native", "--vary", "/run/seed=1,2", "--csv", "-", "--json")

    def test_all_that_is_wrong_with_a_sweep_is_told_at_once(self):
        status, _, error = self.vecusim("sweep", "pi4-native", "--vary", "run/seed=1", "--resume", "--meets", "x", "--shard", "3/2",
                                        "--reps", "none", "--set", "y", "--statistic", "max", "--sample", "grid")
        self.assertEqual(status, 2)
        for option in ("--vary", "--resume", "--meets", "--shard", "--reps", "--set", "--statistic", "--sample"):
            self.assertRegex(error, rf"(?m)^(vecusim: )?{option}")
        status, _, error = self.vecusim("sweep", "pi4-native", "--find", "/x=2:1", "--csv", "a", "--shard", "1/1", "--jobs", "x")
        self.assertEqual(status, 2)
        for text in ("HI above LO", "not together with --csv", "not together with --shard", "--meets", "--jobs"):
            self.assertIn(text, error)

    def test_a_figure_that_there_is_not_gets_the_nearest(self):
        search = ["sweep", "pi4-native", "--find", "/interrupts/0/stimulus/count=5:9", "--meets"]
        self.assert_invalid('did you mean "latency.edge.p90_us"?', *search, "p98 <= 3")
        self.assert_invalid('did you mean "load.linux.pcpu_pct"?', *search, "load.linux.pcpu <= 3")
        self.assert_invalid('did you mean "latency.edge.lost"?', "sweep", "pi4-native", "--vary", "/run/seed=1,2", "--pareto", "p99.9,lst")


if __name__ == "__main__":
    vecusim.main()
