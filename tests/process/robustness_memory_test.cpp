// Lines that are written to take much memory, and too little of it: every request is answered, and the server goes on.
#define BOOST_TEST_MODULE robustness_memory_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

#include "conversation.hpp"
#include "process_status.hpp"
#include "program_run.hpp"

using namespace toolwire_test;

namespace {

std::string array_of(std::size_t count, const std::string& element) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text.append(i == 0 ? "" : ",").append(element);
  return text + "]";
}

std::string value(const std::string& json) { return R"({"value":)" + json + "}"; }

/// The fixture server, given so many kB of addresses.
toolwire::Program with_addresses(long kilobytes) {
  return fixture_behind_shell("ulimit -v " + std::to_string(kilobytes) + R"(; exec "$0" "$1")");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_with_more_values_than_allowed_is_refused) {
  for (const Era era : {Era::legacy, Era::modern}) {
    Conversation talk(era, fixture_program(R"({"limits":{"values":10000}})"));
    for (const std::string element : {"1", "[]", R"({"":1})", R"("\ud83d")"}) {
      talk.send(talk.call("1", "echo_json", value(array_of(20'000, element))));
      const toolwire::Json error = talk.answer("1").at("error");
      const std::string_view message = error.at("message").as_string();
      BOOST_TEST(error.at("code") == -32700);
      BOOST_TEST(message.find("expected at most 10000 values and names in one text") != std::string_view::npos,
                 message);
      talk.send(talk.call("2", "echo_json", value(array_of(3'000, element))));
      BOOST_TEST(talk.code_of("2") == 0);
    }
    talk.check_alive();
    BOOST_TEST(talk.end().code == 0);
  }
}

BOOST_AUTO_TEST_CASE(eight_hundred_thousand_values_take_little_more_memory_than_they_are) {
  if (!memory_is_ours) return;
  for (const std::string element : {"1", "[1]", "[1,1,1]", R"({"":1})", "[100000000000000000000]"}) {
    Conversation talk(Era::legacy);
    talk.check_alive();
    const long before = status_of(talk.process().id(), "VmRSS");
    const auto values = [](char c) { return c == '1' || c == '[' || c == '{' || c == '"'; };
    const auto each = element.size() > 20 ? 2 : std::count_if(element.begin(), element.end(), values);
    const std::string line =
        talk.request("1", "ping", R"("value":)" + array_of(799'980 / static_cast<std::size_t>(each), element));
    talk.send(line);
    BOOST_TEST(talk.code_of("1") == 0);
    const long need = status_of(talk.process().id(), "VmHWM") - before;
    BOOST_TEST(need < static_cast<long>(4 * line.size() / 1024) + 32 * 1024, element);
    talk.check_alive();
  }
}

BOOST_AUTO_TEST_CASE(calls_wait_with_the_memory_they_take_and_not_with_the_length_of_their_lines) {
  Conversation talk(Era::modern, fixture_program(R"({"threads":1,"limits":{"queued_bytes":5000000}})"));
  talk.send(talk.call("\"holds\"", "wait", R"({"gate":"g"})"));
  const std::string numbers = value(array_of(20'000, "1"));  // 40 kB, which become 1 to 2 MB
  for (int i = 0; i < 10; ++i) talk.send(talk.call(std::to_string(i), "echo_json", numbers));
  BOOST_TEST(talk.answer("9").at("result").at("isError") == true);  // waits behind as many as there is room for
  talk.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"holds"}})");
  int refused = 0;
  for (int i = 0; i < 9; ++i) refused += talk.answer(std::to_string(i)).at("result").as_object().contains("isError");
  BOOST_TEST(refused >= 5);
  BOOST_TEST(refused <= 8);
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(the_end_of_memory_is_an_answer) {
  if (!memory_is_ours) return;
  for (const long kilobytes : {250'000L, 400'000L}) {
    for (const std::size_t megabytes : {1u, 20u, 70u}) {
      Conversation talk(Era::legacy, with_addresses(kilobytes));
      talk.send(talk.call("1", "echo", R"({"text":")" + std::string(megabytes << 20, 'a') + "\"}"));
      talk.answer("1");
      talk.send(talk.call("2", "echo_json", value(array_of(megabytes << 14, R"({"a":[1,"\\n"]})"))));
      talk.answer("2");
      talk.check_alive();
      BOOST_TEST(talk.end().code == 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(too_little_to_begin_is_said) {
  if (!memory_is_ours) return;  // sanitizers need descriptors, too
  const auto ended = [](const std::string& limit) {
    return run_program(fixture_behind_shell("ulimit " + limit + R"(; exec "$0" "$1")"));
  };
  const ProgramRun few = ended("-n 8");
  BOOST_TEST(few.status == 2);
  BOOST_TEST(few.errors.find("cannot begin: ") != std::string::npos, few.errors);
  const ProgramRun little = ended("-v 60000");
  BOOST_TEST(little.status == 2);
  BOOST_TEST(little.errors.find("not enough memory to begin") != std::string::npos, little.errors);
}
