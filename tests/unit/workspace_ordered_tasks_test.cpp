#include "workspace/search/ordered_tasks.hpp"

#define BOOST_TEST_MODULE workspace_ordered_tasks_test
#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

/// A task makes three tasks below it, down to a depth; its result is its key.
using Tasks = workspace::OrderedTasks<int, std::string>;
using Outcome = Tasks::Outcome;

struct Tree {
  explicit Tree(unsigned threads, std::size_t ahead = 100)
      : tasks{threads, ahead,
              [this] { return [this](const std::string& key, int& left) { return work(key, left); }; }} {}

  Outcome work(const std::string& key, int left) {
    ++done;
    if (key == failing) throw std::runtime_error(key);
    Tasks::Tasks below;
    for (const char* name : {"a", "b", "c"})
      if (left > 0) below.emplace_back(key + name, left - 1);
    tasks.add(std::move(below));
    Outcome outcome{.results = {}, .weight = 1};
    outcome.results.emplace_back(key, key);
    return outcome;
  }

  std::vector<std::string> run(std::size_t most = 1'000'000) {
    Tasks::Tasks first;
    first.emplace_back("", 6);
    tasks.add(std::move(first));
    std::vector<std::string> taken;
    was_all = tasks.run([&](const std::string& key) {
      taken.push_back(key);
      return taken.size() < most;
    });
    return taken;
  }

  std::atomic<int> done = 0;
  std::string failing = "none";
  bool was_all = false;
  Tasks tasks;
};

constexpr std::size_t all = 1 + 3 + 9 + 27 + 81 + 243 + 729;

}  // namespace

BOOST_AUTO_TEST_CASE(every_result_is_taken_once_and_in_order_whatever_the_number_of_threads) {
  for (const unsigned threads : {0U, 1U, 4U}) {
    Tree tree{threads};
    const std::vector<std::string> taken = tree.run();
    BOOST_TEST(tree.was_all);
    BOOST_TEST(taken.size() == all);
    BOOST_TEST(std::is_sorted(taken.begin(), taken.end()));
    BOOST_TEST((std::adjacent_find(taken.begin(), taken.end()) == taken.end()));
  }
}

BOOST_AUTO_TEST_CASE(tasks_can_be_added_when_all_are_done) {
  Tree tree{2};
  BOOST_TEST(tree.run().size() == all);
  BOOST_TEST(tree.run().size() == all);
}

BOOST_AUTO_TEST_CASE(who_has_enough_gets_no_more) {
  for (const unsigned threads : {0U, 3U}) {
    Tree tree{threads};
    BOOST_TEST(tree.run(5).size() == 5U);
    BOOST_TEST(!tree.was_all);
  }
}

BOOST_AUTO_TEST_CASE(the_first_in_order_are_done_first) {
  Tree tree{0};
  tree.run(7);
  BOOST_TEST(tree.done == 7);
}

BOOST_AUTO_TEST_CASE(results_that_wait_hold_back_what_is_not_next) {
  for (const unsigned threads : {0U, 1U, 4U}) {
    Tree tree{threads, 0};
    BOOST_TEST(tree.run().size() == all);
  }
}

BOOST_AUTO_TEST_CASE(what_a_task_throws_reaches_the_owner_when_it_is_next) {
  for (const unsigned threads : {0U, 3U}) {
    Tree tree{threads};
    tree.failing = "ab";
    BOOST_CHECK_EXCEPTION(tree.run(), std::runtime_error,
                          [](const std::runtime_error& error) { return error.what() == std::string("ab"); });
  }
}
