// The suite over HTTP: the framework's own HTTP server passes all of it, the suite starts and ends a server, and says
// what is wrong with one that is not there.
#include "conformance_run.hpp"

#define BOOST_TEST_MODULE conformance_over_http_test
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <map>
#include <set>

#include <sys/stat.h>

#include "file_content.hpp"
#include "listening_socket.hpp"
#include "scratch_folder.hpp"

using toolwire::Json;
using toolwire_test::conformance;
using toolwire_test::ConformanceRun;
using toolwire_test::left_something;

namespace {

const std::string server_program = TOOLWIRE_BIN_DIR "/http_server";

/// A port that is free now.
std::string free_port() { return std::to_string(toolwire_test::ListeningSocket().port()); }

/// `options`, and a server that the suite starts.
ConformanceRun judged(std::vector<std::string> options) {
  const std::string port = free_port();
  options.insert(options.end(), {"--http", "http://127.0.0.1:" + port + "/mcp", "--", server_program, port});
  return conformance(options);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_frameworks_own_server_passes) {
  const ConformanceRun run = judged({"--allow-tool", "*", "--json", "-"});
  BOOST_TEST(run.status == 0);
  BOOST_TEST(!left_something(run));
  std::map<std::string, int> passes;
  std::set<std::string> warnings;
  const Json report = run.json();
  for (const Json& check : report.at("checks").as_array()) {
    const std::string id(check.at("id").as_string());
    const std::string verdict(check.at("verdict").as_string());
    BOOST_TEST(verdict != "FAIL", id);
    if (verdict == "WARN") warnings.insert(id);
    if (verdict == "PASS") ++passes[std::string(check.at("group").as_string())];
  }
  // Its streams cannot be resumed, so no event has an id.
  BOOST_TEST((warnings == std::set<std::string>{"http-stream-primed"}));
  BOOST_TEST(passes["http"] >= 70);
  BOOST_TEST(passes["tools"] >= 60);
  BOOST_TEST(passes["shutdown"] == 0);
  BOOST_TEST(report.at("server").at("url").as_string().starts_with("http://127.0.0.1:"));
}

BOOST_AUTO_TEST_CASE(what_is_about_the_process_is_a_skip_that_says_so) {
  const ConformanceRun run = judged({"--only", "exit-on-sigterm,ping-string-id", "--verbose"});
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.says("exit-on-sigterm: not judged over HTTP: it is about the process"));
  BOOST_TEST(run.says("PASS 2025-11-25 ping-string-id"));
}

BOOST_AUTO_TEST_CASE(checks_of_http_are_left_out_over_standard_input_and_output) {
  const ConformanceRun run = conformance({"--only", "http,ping", "--verbose", "--", TOOLWIRE_BIN_DIR "/hello"});
  BOOST_TEST(run.status == 0);
  BOOST_TEST(!run.says("http-"));
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_answer_is_told_from_one_that_is_wrong) {
  const std::string url = "http://127.0.0.1:" + free_port() + "/mcp";
  const ConformanceRun ended = conformance({"--http", url, "--", "/bin/sh", "-c", "echo no port >&2; exit 3"});
  BOOST_TEST(ended.status == 2);
  BOOST_TEST(ended.says("exited with status 3"));
  BOOST_TEST(ended.says("no port"));
  const ConformanceRun silent = conformance({"--http", url, "--start-timeout", "0.3", "--", "/bin/sleep", "60"});
  BOOST_TEST(silent.status == 2);
  BOOST_TEST(silent.says("nothing answers at " + url));
  BOOST_TEST(!left_something(silent));
  const ConformanceRun nobody = conformance({"--http", url});
  BOOST_TEST(nobody.status == 1);
  BOOST_TEST(nobody.says("start-answers"));
}

/// Whoever has the port would be judged, while the server that was to be has found it taken.
BOOST_AUTO_TEST_CASE(a_port_that_somebody_else_has_is_told_before_the_server_is_started) {
  const toolwire_test::ListeningSocket taken;
  const std::string url = "http://127.0.0.1:" + std::to_string(taken.port()) + "/mcp";
  const ConformanceRun run =
      conformance({"--http", url, "--start-timeout", "1", "--timeout", "1", "--budget", "5", "--", "/bin/sleep", "60"});
  BOOST_TEST(run.status == 2);
  BOOST_TEST(run.says("something answers at " + url + " before /bin/sleep is started"), run.errors);
}

BOOST_AUTO_TEST_CASE(a_run_that_waits_for_a_port_can_be_interrupted) {
  const toolwire_test::ScratchFolder folder;
  const std::string started = (folder / "started").string();
  BOOST_TEST_REQUIRE(::mkfifo(started.c_str(), 0600) == 0);
  toolwire::ChildProcess process({.command = {TOOLWIRE_BIN_DIR "/toolwire-conformance", "--start-timeout", "600",
                                              "--http", "http://127.0.0.1:" + free_port() + "/mcp", "--", "/bin/sh",
                                              "-c", "echo > \"$0\"; exec sleep 600", started}});
  toolwire_test::content_of(started);
  BOOST_TEST(::kill(process.id(), SIGINT) == 0);
  BOOST_TEST(process.wait().code == 130);
}

BOOST_AUTO_TEST_CASE(headers_go_with_each_request_and_their_values_into_no_report) {
  const ConformanceRun run = judged({"--header", "Origin: http://rebinding.example", "--header", "X-Key: hidden-value",
                                     "--only", "ping", "--json", "-"});
  BOOST_TEST(run.status == 1);
  BOOST_TEST(run.says("403"));  // this server refuses that origin
  BOOST_TEST(run.says("X-Key: …"));
  BOOST_TEST(!run.says("hidden-value"));
}
