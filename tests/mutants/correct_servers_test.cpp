// Nobody is blamed without cause: correct servers that are slow or talk much, and one that ends at bad lines, under the
// whole suite.
#define BOOST_TEST_MODULE correct_servers_test
#include <boost/test/unit_test.hpp>

#include "judging.hpp"

namespace {

constexpr const char* folder = TOOLWIRE_SOURCE_DIR "/tests/mutants/correct";

/// Sixteen at once, as most of the time is waiting: a time-out is repeated alone.
mutants::Complaints complaints_about(const std::string& name) {
  const mutants::Fault server = mutants::read_fault(folder, "servers/" + name);
  return mutants::judge(server, {.timeout = std::chrono::seconds(5), .jobs = 16, .faults = folder});
}

void expect_no_blame(const std::string& name) {
  const std::string found = mutants::text_of(complaints_about(name));
  BOOST_TEST(found == "nothing", name << ": " << found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(slow) { expect_no_blame("slow"); }

BOOST_AUTO_TEST_CASE(chatty) { expect_no_blame("chatty"); }

/// It is blamed by the checks that send such a line, as it says in `fails`.
BOOST_AUTO_TEST_CASE(fragile) {
  const mutants::Fault server = mutants::read_fault(folder, "servers/fragile");
  const std::set<std::string> sent(server.fails.begin(), server.fails.end());
  for (const auto& [check, word] : complaints_about("fragile"))
    BOOST_TEST(sent.contains(check), check << " " << word << ", though it sends no bad line");
}
