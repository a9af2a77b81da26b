// How a server program ends: end of input, signals, a client that has gone.
#include "conversation.hpp"
#include "program_run.hpp"

#define BOOST_TEST_MODULE server_ending_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>

using namespace toolwire_test;

namespace {

const std::string in_flight = R"({"gate":"g"})";

/// A conversation with one call that never returns and is known to have begun.
void begin_waiting(Conversation& talk, const char* tool = "wait") {
  talk.send(talk.call("1", tool, in_flight));
  talk.send(talk.call("2", "wait", R"({"gate":"g has begun"})"));
  BOOST_TEST(talk.text_of("2") == "opened");
}

toolwire::ExitStatus wait_until_gone(Conversation& talk) {
  while (talk.read_one()) {
  }
  return talk.process().wait();
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_end_of_input_ends_an_idle_server) {
  Conversation talk(Era::modern);
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(the_end_of_input_after_the_handshake_loses_no_answer) {
  Conversation talk(Era::legacy);
  talk.send(talk.request("1", "tools/list"));
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.code_of("\"handshake\"") == 0);
  BOOST_TEST(talk.code_of("1") == 0);
}

BOOST_AUTO_TEST_CASE(calls_that_were_accepted_answer_after_the_end_of_input) {
  Conversation talk(Era::modern);
  begin_waiting(talk);
  talk.send(talk.call("3", "open", in_flight));
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.text_of("1") == "opened");
  BOOST_TEST(talk.text_of("3") == "g");
}

BOOST_AUTO_TEST_CASE(a_call_that_would_not_end_is_cancelled_after_the_end_of_input) {
  Conversation talk(Era::modern, fixture_program(R"({"limits":{"drain":20}})"));
  begin_waiting(talk);
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.answers_kept() == 0u);
}

BOOST_AUTO_TEST_CASE(a_tool_that_does_not_listen_is_left_behind) {
  Conversation talk(Era::modern, fixture_program(R"({"limits":{"drain":20}})"));
  begin_waiting(talk, "deaf");
  BOOST_TEST(talk.end().code == 0);
}

BOOST_AUTO_TEST_CASE(half_a_message_at_the_end_is_one_error) {
  Conversation talk(Era::modern);
  talk.send_bytes(R"({"jsonrpc":"2.0","id":1,"meth)");
  BOOST_TEST(talk.end().code == 0);
  BOOST_TEST(talk.code_of("1") == -32700);
}

BOOST_AUTO_TEST_CASE(three_printed_calls_have_three_answers) {
  Conversation talk(Era::modern);
  std::string calls;
  for (const char* id : {"1", "2", "3"}) calls += talk.call(id, "add", R"({"a":1,"b":2})") + "\n";
  talk.send_bytes(calls);
  BOOST_TEST(talk.end().code == 0);
  for (const char* id : {"1", "2", "3"}) BOOST_TEST(talk.text_of(id) == "3");
}

BOOST_AUTO_TEST_CASE(a_signal_ends_an_idle_server) {
  for (int signal : {SIGTERM, SIGINT}) {
    Conversation talk(Era::legacy);
    talk.check_alive();
    talk.process().signal(signal);
    BOOST_TEST(wait_until_gone(talk).code == 0);
    BOOST_TEST(talk.process().error_tail() == "");
  }
}

BOOST_AUTO_TEST_CASE(a_signal_ends_a_server_at_work) {
  for (const char* tool : {"wait", "deaf"}) {
    for (int signal : {SIGTERM, SIGINT}) {
      Conversation talk(Era::modern);
      begin_waiting(talk, tool);
      talk.process().signal(signal);
      BOOST_TEST(wait_until_gone(talk).code == 0);
      BOOST_TEST(talk.answers_kept() == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(signals_and_the_end_of_input_together_end_a_server_once) {
  Conversation talk(Era::modern);
  begin_waiting(talk);
  talk.process().signal(SIGINT);
  talk.close_input();
  talk.process().signal(SIGTERM);
  talk.process().signal(SIGINT);
  BOOST_TEST(wait_until_gone(talk).code == 0);
}

BOOST_AUTO_TEST_CASE(a_client_that_has_gone_ends_a_server) {
  const std::string command = R"(exec "$0" "$1" >&-)";
  for (const char* line : {"closed", "broken"}) {
    const bool broken = line[0] == 'b';
    // `head` leaves after the answer to the handshake; what is written then finds no reader.
    Conversation talk(Era::legacy,
                      fixture_behind_shell(broken ? R"({ "$0" "$1"; echo "status $?" >&2; } | head -n 1)" : command));
    while (!talk.process().exit_status() && talk.answers_kept() == 0 && talk.read_one()) {
    }
    for (int i = 0; i < 100 && !talk.process().exit_status(); ++i) talk.send(talk.call("9", "echo", R"({"text":"x"})"));
    talk.close_input();
    const toolwire::ExitStatus status = wait_until_gone(talk);
    BOOST_TEST(status.code == 0, status.text());
    if (broken) BOOST_TEST(talk.process().error_tail() == "status 0\n");
  }
}

BOOST_AUTO_TEST_CASE(an_output_that_cannot_be_written_is_told_of_and_no_good_end) {
  for (const bool is_stuck : {false, true}) {
    Conversation talk(Era::modern, fixture_behind_shell(R"(exec "$0" "$1" >/dev/full)", R"({"limits":{"drain":20}})"));
    if (is_stuck) talk.send(talk.call("1", "deaf", in_flight));
    talk.send(talk.call("2", "echo", R"({"text":"x"})"));
    const toolwire::ExitStatus status = wait_until_gone(talk);
    BOOST_TEST(status.code == 1, status.text());
    const std::string said = talk.process().error_tail();
    BOOST_TEST(said.find("standard output cannot be written: No space left on device") != std::string::npos, said);
  }
}

BOOST_AUTO_TEST_CASE(input_that_cannot_be_read_is_said) {
  const ProgramRun ended = run_program(fixture_behind_shell(R"(exec "$0" "$1" </)"));
  BOOST_TEST(ended.status == 1);
  BOOST_TEST(ended.errors.find("standard input cannot be read: Is a directory") != std::string::npos, ended.errors);
  BOOST_TEST(run_program(fixture_behind_shell(R"(exec "$0" "$1" <&-)")).status == 0);  // nobody is there
}

BOOST_AUTO_TEST_CASE(a_server_ends_while_its_client_does_not_read) {
  Conversation talk(Era::modern);
  talk.check_alive();
  talk.send(talk.call("1", "big", R"({"bytes":1000000})"));
  talk.process().signal(SIGTERM);
  talk.close_input();
  const toolwire::ExitStatus status = talk.process().wait();
  BOOST_TEST(status.code == 0, status.text() << ": " << talk.process().error_tail());
}
