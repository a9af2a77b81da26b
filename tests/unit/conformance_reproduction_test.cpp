#include "report/reproduction.hpp"

#define BOOST_TEST_MODULE conformance_reproduction_test
#include <boost/test/unit_test.hpp>

#include "conformance_report.hpp"
#include "program_run.hpp"

using namespace toolwire::conformance;
using toolwire_test::finding;

namespace {

/// What a program that copies its input gets from the pipeline of what was sent.
std::string copied(const Stimuli& sent) {
  Target target;
  target.launch.command = {"cat"};
  const Report report{.target = target};
  Finding it = finding("ping-prompt", Verdict::fail);
  it.sent = sent;
  return toolwire_test::run_program({.command = {"/bin/sh", "-c", pipeline(report, it)}}).out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_pipeline_sends_the_same_bytes_again) {
  for (const std::string& step :
       {std::string("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"it's 100 %\\n\"}\n"), std::string("{\n"),
        std::string("half"), std::string("\xff\x00\x1b[0m\\\n%s'\n", 12), std::string("\n\n"), std::string("a\nb\n")})
    BOOST_TEST(copied({.steps = {step}, .ends_input = true}) == step);
}

BOOST_AUTO_TEST_CASE(steps_wait_for_the_server_and_input_stays_open_unless_it_was_closed) {
  Target target;
  target.launch.command = {"./server", "it's"};
  const Report report{.target = target};
  Finding it = finding("ping-prompt", Verdict::fail);
  it.sent = {.steps = {"{}\n", "[]\n"}};
  BOOST_TEST(pipeline(report, it) ==
             "{ printf '%s\\n' '{}'; sleep 1; printf '%s\\n' '[]'; sleep 2; } | ./server "
             "'it'\\''s'");
  it.sent.ends_input = true;
  BOOST_TEST(pipeline(report, it) == "{ printf '%s\\n' '{}'; sleep 1; printf '%s\\n' '[]'; } | ./server 'it'\\''s'");
}

BOOST_AUTO_TEST_CASE(values_of_the_environment_are_not_shown) {
  Target target;
  target.launch.command = {"server"};
  target.launch.environment = {{"TOKEN", "hunter2"}};
  target.launch.directory = "/a folder";
  const Report report{.target = target};
  Finding it = finding("ping-prompt", Verdict::fail);
  it.sent = {.steps = {"{}\n"}, .ends_input = true};
  BOOST_TEST(pipeline(report, it) == "cd '/a folder' && { printf '%s\\n' '{}'; } | env TOKEN=\"$TOKEN\" server");
}

BOOST_AUTO_TEST_CASE(what_was_sent_is_told_by_steps) {
  Recording recording;
  recording.add(Direction::to_server, "a\n");
  recording.add(Direction::from_server, "A\n");
  recording.add(Direction::to_server, "b\n");
  recording.add(Direction::to_server, "c\n");
  recording.add(Direction::from_server, "BC\n");
  recording.add(Direction::to_server, "d\n");
  recording.remark(Recording::input_closed);
  const Stimuli all = recording.stimuli();
  BOOST_TEST(all.steps == (std::vector<std::string>{"a\n", "b\nc\n", "d\n"}), boost::test_tools::per_element());
  BOOST_TEST(all.ends_input);
  BOOST_TEST(recording.stimuli(5, 1).steps == (std::vector<std::string>{"a\n", "d\n"}),
             boost::test_tools::per_element());
  recording.add(Direction::to_server, std::string(Recording::kept_bytes + 1, 'x'));
  BOOST_TEST(recording.stimuli().empty());
}

BOOST_AUTO_TEST_CASE(a_signal_is_in_no_pipeline) {
  Recording recording;
  recording.add(Direction::to_server, "a\n");
  recording.remark("signal 15 sent");
  BOOST_TEST(recording.stimuli().empty());
}
