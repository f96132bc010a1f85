// Trials on threads: order, errors and stopping do not depend on the number of threads.
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "analysis/trials.hpp"
#include "catch.hpp"

using namespace vecusim;

namespace {

Parallel on(unsigned threads) {
  Parallel parallel;
  parallel.threads = threads;
  return parallel;
}

/// Longer for some trials than for others, so that they end out of order.
void dawdle(std::size_t index) { std::this_thread::sleep_for(std::chrono::microseconds(index * 7919 % 11 * 50)); }

}  // namespace

TEST_CASE("outcomes are reduced in the order of their indices on any number of threads") {
  for (const unsigned threads : {1U, 2U, 3U, 8U}) {
    std::string text;
    run_trials(
        100, on(threads),
        [](std::size_t i) {
          dawdle(i);
          return std::to_string(i * i);
        },
        [&text](std::size_t i, const std::string& outcome) { text += std::to_string(i) + ":" + outcome + " "; });
    std::string expected;
    for (std::size_t i = 0; i < 100; ++i) expected += std::to_string(i) + ":" + std::to_string(i * i) + " ";
    CHECK(text == expected);
  }
}

TEST_CASE("no trial is an experiment too") {
  int reduced = 0;
  run_trials(
      0, on(4), [](std::size_t) { return 1; }, [&reduced](std::size_t, int) { ++reduced; });
  CHECK(reduced == 0);
}

TEST_CASE("the error of the first trial that fails is thrown, whoever fails first") {
  for (const unsigned threads : {1U, 2U, 5U}) {
    std::size_t reduced = 0;
    const auto run = [&] {
      run_trials(
          50, on(threads),
          [](std::size_t i) {
            if (i == 20) std::this_thread::sleep_for(std::chrono::milliseconds(5));
            if (i >= 20) throw std::runtime_error("trial " + std::to_string(i));
            return i;
          },
          [&reduced](std::size_t, std::size_t) { ++reduced; });
    };
    CHECK_THROWS_WITH(run(), "trial 20");
    CHECK(reduced == 20);
  }
}

TEST_CASE("an error of the reduction ends the experiment") {
  for (const unsigned threads : {1U, 4U}) {
    const auto run = [&] {
      run_trials(
          50, on(threads), [](std::size_t i) { return i; },
          [](std::size_t i, std::size_t) {
            if (i == 3) throw std::runtime_error("disk full");
          });
    };
    CHECK_THROWS_WITH(run(), "disk full");
  }
}

TEST_CASE("a requested stop ends the experiment between trials") {
  std::stop_source source;
  Parallel parallel = on(2);
  parallel.stop = source.get_token();
  std::atomic<int> begun = 0;
  const auto run = [&] {
    run_trials(
        1000, parallel,
        [&](std::size_t) {
          if (++begun == 10) source.request_stop();
          return 0;
        },
        [](std::size_t, int) {});
  };
  CHECK_THROWS_AS(run(), Interrupted);
  CHECK(begun <= 12);
}

TEST_CASE("progress is told once for each trial, in order") {
  Parallel parallel = on(3);
  std::vector<std::size_t> told;
  parallel.progress = [&told](std::size_t done, std::size_t total) {
    CHECK(total == 30);
    told.push_back(done);
  };
  run_trials(
      30, parallel,
      [](std::size_t i) {
        dawdle(i);
        return i;
      },
      [](std::size_t, std::size_t) {});
  REQUIRE(told.size() == 30);
  for (std::size_t i = 0; i < 30; ++i) CHECK(told[i] == i + 1);
}

TEST_CASE("threads that run ahead of a slow trial wait, so that few outcomes are kept") {
  std::atomic<std::size_t> most_ahead = 0;
  std::atomic<bool> first_done = false;
  run_trials(
      200, on(4),
      [&](std::size_t i) {
        if (i == 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          first_done = true;
        } else if (!first_done) {
          std::size_t seen = most_ahead;
          while (seen < i && !most_ahead.compare_exchange_weak(seen, i)) {
          }
        }
        return i;
      },
      [](std::size_t, std::size_t) {});
  CHECK(most_ahead < 16);
}

TEST_CASE("there are never more threads than trials, and always one") {
  CHECK(threads_for(on(8), 3) == 3);
  CHECK(threads_for(on(2), 100) == 2);
  CHECK(threads_for(on(4), 0) == 1);
  CHECK(threads_for(on(0), 1000) >= 1);
}
