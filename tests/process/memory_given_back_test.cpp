// What a program of its own keeps of the memory that lines of many values have taken.
#define BOOST_TEST_MODULE memory_given_back_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

#include "conversation.hpp"
#include "process_status.hpp"

using namespace toolwire_test;

namespace {

std::string call_with(std::size_t count, const std::string& element, const Conversation& talk, const std::string& id) {
  std::string list = R"({"value":[)" + element;
  for (std::size_t i = 1; i < count; ++i) list.append(",").append(element);
  return talk.call(id, "test_echo_json", list + "]}");
}

}  // namespace

// As many values as are allowed, of which the answer is made in pieces that the allocator would keep for later.
BOOST_AUTO_TEST_CASE(what_lines_of_many_values_have_taken_is_given_back) {
  if (!memory_is_ours) return;
  constexpr long most_kept = 16 * 1024;  // kB
  for (const auto& [element, values] :
       {std::pair<std::string, std::size_t>{R"("a")", 1}, {"[]", 1}, {"100000000000000000000", 1}, {R"({"":1})", 3}}) {
    Conversation talk(Era::legacy, {.command = {TOOLWIRE_BIN_DIR "/everything"}});
    talk.send(call_with(10, element, talk, "0"));
    BOOST_TEST(talk.code_of("0") == 0);
    const long before = status_of(talk.process().id(), "VmRSS");
    for (int i = 1; i <= 10; ++i) {
      const std::string id = std::to_string(i);
      talk.send(call_with(799'900 / values, element, talk, id));
      BOOST_TEST(talk.code_of(id) == 0);
    }
    talk.send(talk.request("\"last\"", "ping"));
    BOOST_TEST(talk.code_of("\"last\"") == 0);
    BOOST_TEST(status_of(talk.process().id(), "VmRSS") - before < most_kept, element);
    BOOST_TEST(talk.end().code == 0);
  }
}
