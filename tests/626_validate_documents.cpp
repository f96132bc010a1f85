// What a validation looks like, as a document and as text.
#include "analysis/validate.hpp"
#include "catch.hpp"
#include "system/json_print.hpp"
#include "system/utf8.hpp"

using namespace vecusim;

namespace {

Validation example() {
  JudgedRow judged;
  judged.case_name = "ksae2022-native";
  judged.row = "native";
  judged.role = Role::fit;
  judged.n = 100;
  judged.verdict = RowVerdict::pass;
  JudgedStatistic mean{Statistic::mean, 182.0};
  mean.predicted = 181.5;
  mean.interval95 = Interval{179.25, 184.5};
  mean.inside = true;
  mean.naive = 66.0;
  mean.better_than_naive = true;
  JudgedStatistic max{Statistic::max, 270.0};
  max.predicted = 250.0;
  max.interval95 = Interval{200.0, 260.0};
  max.mark = 0.1;
  max.inside = true;
  judged.statistics = {mean, max};
  judged.distribution = ComparedDistribution{0.125, 0.25, {1.5, {0.5, 2.25}}};

  JudgedRow infeasible;
  infeasible.case_name = "ksae2022-tcg";
  infeasible.row = "qemu-tcg";
  infeasible.n = 100;
  infeasible.feasible = false;
  infeasible.verdict = RowVerdict::infeasible_data;
  infeasible.statistics = {JudgedStatistic{Statistic::max, 1054000.0}};
  infeasible.note = std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(30, 'c');

  JudgedRow open;
  open.case_name = "ksae2022-xen";
  open.row = "xen-dom0";
  open.n = 100;
  return {{judged, infeasible, open}};
}

}  // namespace

TEST_CASE("the validation document has every key, null where there is nothing to say") {
  CHECK(
      json::compact(to_json(example())) ==
      R"({"schema": "vecusim/validation/1", "rows": [)"
      R"({"case": "ksae2022-native", "row": "native", "role": "fit", "n": 100, "feasible": true, "statistics": [)"
      R"({"name": "mean_us", "measured": 182, "predicted": 181.5, "interval95": [179.25, 184.5], )"
      R"("interval95_with_parameters": null, "mark": null, "inside": true, "naive": 66, "better_than_naive": true}, )"
      R"({"name": "max_us", "measured": 270, "predicted": 250, "interval95": [200, 260], )"
      R"("interval95_with_parameters": null, "mark": 0.1, "inside": true, "naive": null, "better_than_naive": null}], )"
      R"("distribution": {"ks_distance": 0.125, "p_value": 0.25, "wasserstein_us": 1.5, )"
      R"("wasserstein_interval95": [0.5, 2.25]}, "verdict": "pass", "expect": "pass", "note": ""}, )"
      R"({"case": "ksae2022-tcg", "row": "qemu-tcg", "role": "predicted", "n": 100, "feasible": false, "statistics": [)"
      R"({"name": "max_us", "measured": 1054000, "predicted": null, "interval95": null, )"
      R"("interval95_with_parameters": null, "mark": null, "inside": null, "naive": null, "better_than_naive": null}], )"
      R"("distribution": null, "verdict": "infeasible data", "expect": "pass", "note": ")" +
          std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(30, 'c') +
          R"("}, {"case": "ksae2022-xen", "row": "xen-dom0", "role": "predicted", "n": 100, "feasible": true, )"
          R"("statistics": [], "distribution": null, "verdict": null, "expect": "pass", "note": ""}], "comparisons": [], "passed": 1, "failed": 1})");
}

TEST_CASE("the text of a validation fits 80 columns and ends with the counts") {
  const std::string text = to_text(example(), false);
  CHECK(text ==
        "ksae2022-native / native (fit, n = 100): pass, as expected\n"
        "                measured predicted        95 % interval   judged          naive\n"
        "  mean_us          182.0     181.5        179.2 … 184.5   inside   66.00, worse\n"
        "  max_us           270.0     250.0        200.0 … 260.0  in mark              –\n"
        "\n"
        "ksae2022-tcg / qemu-tcg (predicted, n = 100): infeasible data, expected was pass\n"
        "                measured predicted        95 % interval   judged          naive\n"
        "  max_us         1054000         –                    –        –              –\n"
        "  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
        "  cccccccccccccccccccccccccccccc\n"
        "\n"
        "ksae2022-xen / xen-dom0 (predicted, n = 100): no verdict\n"
        "                measured predicted        95 % interval   judged          naive\n"
        "\n"
        "1 passed, 1 failed, 1 without verdict\n");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    CHECK(utf8_characters(text.substr(at, end - at)) <= 80);
    at = end + 1;
  }
  CHECK_THAT(to_text(example(), true), Catch::Contains("\x1b["));
}

TEST_CASE("the page of a validation keeps predicted rows and fitted ones apart, and gives each miss with its reason") {
  Validation validation = example();
  JudgedRow missed = validation.rows.front();
  missed.row = "tail";
  missed.role = Role::predicted;
  missed.verdict = RowVerdict::fail;
  missed.expect = RowVerdict::fail;
  missed.statistics.back().inside = false;
  missed.note = "the model has no |console|";
  validation.rows.push_back(missed);
  CHECK(to_markdown(validation) ==
        "# Predicted against measured\n"
        "\n"
        "Made by `build/vecusim validate --markdown > docs/validation.md`; the test `validation` fails if it is not "
        "what comes\n"
        "today. How a row is judged: [validation/cases](../validation/cases/README.md); where the measurements are "
        "from:\n"
        "[validation/data](../validation/data/README.md).\n"
        "\n"
        "| rows | number | agree | miss | infeasible data |\n"
        "|---|---:|---:|---:|---:|\n"
        "| predicted: none of their numbers went into the model | 2 | 0 | 1 | 1 |\n"
        "| fitted: in view when the model was made | 1 | 1 | 0 | 0 |\n"
        "\n"
        "## Predicted\n"
        "\n"
        "### ksae2022-tcg\n"
        "\n"
        "| row | n | figure | measured | predicted | 95 % interval | judged | naive |\n"
        "|---|---:|---|---:|---:|---:|---|---:|\n"
        "| qemu-tcg | 100 | max_us | 1054000 | – | – | – | – |\n"
        "\n"
        "* qemu-tcg: " +
            std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(30, 'c') +
            "\n"
            "\n"
            "### ksae2022-native\n"
            "\n"
            "| row | n | figure | measured | predicted | 95 % interval | judged | naive |\n"
            "|---|---:|---|---:|---:|---:|---|---:|\n"
            "| tail | 100 | mean_us | 182.0 | 181.5 | 179.2 … 184.5 | inside | 66.00, worse |\n"
            "| | | max_us | 270.0 | 250.0 | 200.0 … 260.0 | **off mark** | – |\n"
            "\n"
            "## Fitted\n"
            "\n"
            "### ksae2022-native\n"
            "\n"
            "| row | n | figure | measured | predicted | 95 % interval | judged | naive |\n"
            "|---|---:|---|---:|---:|---:|---|---:|\n"
            "| native | 100 | mean_us | 182.0 | 181.5 | 179.2 … 184.5 | inside | 66.00, worse |\n"
            "| | | max_us | 270.0 | 250.0 | 200.0 … 260.0 | in mark | – |\n"
            "\n"
            "## Misses, and why\n"
            "\n"
            "* **ksae2022-native / tail** (predicted): max_us 270.0 measured, 250.0 predicted. Why: the model has no "
            "\\|console\\|\n"
            "\n"
            "## Not predicted yet\n"
            "\n"
            "* ksae2022-xen / xen-dom0: \n"
            "\n"
            "2 passed, 1 failed, 1 without verdict\n");
}
