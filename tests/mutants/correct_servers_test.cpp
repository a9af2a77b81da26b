// Nobody is blamed without cause: correct servers that are slow or talk much, serve an old revision, have things of
// their own, or end at bad lines, under the whole suite, by the names of their tools and as those of strangers.
#define BOOST_TEST_MODULE correct_servers_test
#include <boost/test/unit_test.hpp>

#include "judging.hpp"

namespace {

constexpr const char* folder = TOOLWIRE_SOURCE_DIR "/tests/mutants/correct";

using mutants::Fixtures;

/// Sixteen at once, as most of the time is waiting: a time-out is repeated alone.
mutants::Complaints complaints_about(const std::string& name, Fixtures fixtures = Fixtures::by_name) {
  const mutants::Fault server = mutants::read_fault(folder, "servers/" + name);
  return mutants::judge(server,
                        {.timeout = std::chrono::seconds(5), .jobs = 16, .fixtures = fixtures, .faults = folder});
}

void expect_no_blame(const std::string& name, Fixtures fixtures = Fixtures::by_name) {
  const std::string found = mutants::text_of(complaints_about(name, fixtures));
  BOOST_TEST(found == "nothing", name << ": " << found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(slow) { expect_no_blame("slow"); }

BOOST_AUTO_TEST_CASE(chatty) { expect_no_blame("chatty"); }

/// Whatever its tools are called.
BOOST_AUTO_TEST_CASE(slow_stranger) { expect_no_blame("slow", Fixtures::by_looking); }

BOOST_AUTO_TEST_CASE(chatty_stranger) { expect_no_blame("chatty", Fixtures::by_looking); }

BOOST_AUTO_TEST_CASE(of_its_own) { expect_no_blame("of-its-own"); }

BOOST_AUTO_TEST_CASE(of_its_own_stranger) { expect_no_blame("of-its-own", Fixtures::by_looking); }

BOOST_AUTO_TEST_CASE(few_calls) { expect_no_blame("few-calls"); }

BOOST_AUTO_TEST_CASE(few_calls_stranger) { expect_no_blame("few-calls", Fixtures::by_looking); }

BOOST_AUTO_TEST_CASE(few_calls_refused) { expect_no_blame("few-calls-refused"); }

BOOST_AUTO_TEST_CASE(few_calls_refused_stranger) { expect_no_blame("few-calls-refused", Fixtures::by_looking); }

BOOST_AUTO_TEST_CASE(open_world) { expect_no_blame("open-world"); }

BOOST_AUTO_TEST_CASE(no_changes) { expect_no_blame("no-changes"); }

BOOST_AUTO_TEST_CASE(old_stranger) { expect_no_blame("old", Fixtures::by_looking); }

/// A tool that was found by looking is nobody's echo: it is told of, and not more.
BOOST_AUTO_TEST_CASE(with_limits_stranger) {
  for (const auto& [check, word] : complaints_about("with-limits", Fixtures::by_looking))
    BOOST_TEST((check == "tools-arg-unicode-fidelity" && word == "WARN"), check << " " << word);
}

/// It is blamed by the checks that send such a line, as it says in `fails`.
BOOST_AUTO_TEST_CASE(fragile) {
  const mutants::Fault server = mutants::read_fault(folder, "servers/fragile");
  const std::set<std::string> sent(server.fails.begin(), server.fails.end());
  for (const Fixtures fixtures : {Fixtures::by_name, Fixtures::by_looking}) {
    for (const auto& [check, word] : complaints_about("fragile", fixtures))
      BOOST_TEST(sent.contains(check), check << " " << word << ", though it sends no bad line");
  }
}
