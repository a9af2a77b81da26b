#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE client_process_test
#include <sys/wait.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/test/unit_test.hpp>
#include <csignal>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>

using namespace std::chrono_literals;
using toolwire::Client;
using toolwire::ClientOptions;
using toolwire::ConnectionError;
using toolwire::Json;
using toolwire::Program;

namespace {

/// A legacy server in a few lines of shell that answers the handshake and does the rest of the script.
Program legacy_server(const std::string& rest) {
  return {.command = {"sh", "-c",
                      R"(read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}}'
read -r line
)" + rest}};
}

ClientOptions legacy() {
  ClientOptions options;
  options.revision = "2025-11-25";
  return options;
}

bool mentions(const ConnectionError& error, std::string_view text) {
  BOOST_TEST_MESSAGE(error.what());
  return std::string_view{error.what()}.find(text) != std::string_view::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_server_is_started_used_and_stopped) {
  std::optional<Client> client;
  client.emplace(legacy_server(R"(read -r line; echo '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}'; cat)"),
                 legacy());
  BOOST_TEST(client->server().name == "sh");
  BOOST_TEST(client->call("anything").content.empty());
  const pid_t id = client->process()->id();
  client.reset();
  BOOST_TEST(::kill(id, 0) != 0);
}

BOOST_AUTO_TEST_CASE(a_dead_server_fails_its_calls_with_how_it_died_and_its_last_words) {
  Client client{legacy_server("read -r line; echo 'cannot find the config' >&2; exit 3"), legacy()};
  BOOST_CHECK_EXCEPTION(client.call("x"), ConnectionError, [](const ConnectionError& error) {
    return mentions(error, "exited with status 3") && mentions(error, "cannot find the config");
  });
  BOOST_CHECK_THROW(client.call("y"), ConnectionError);
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_of_the_probe_is_started_again_without_it) {
  const std::string script = R"(read -r line
case "$line" in *server/discover*) exit 1;; esac
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{}}}'; cat > /dev/null)";
  const Client client{Program{.command = {"sh", "-c", script}}};
  BOOST_TEST(client.server().revision == "2024-11-05");
}

BOOST_AUTO_TEST_CASE(a_program_that_is_no_server_is_an_error_that_shows_what_it_printed) {
  const Program program{.command = {"sh", "-c", "echo Usage: something; exit 2"}};
  BOOST_CHECK_EXCEPTION(Client{program}, ConnectionError, [](const ConnectionError& error) {
    return mentions(error, "exited with status 2") && mentions(error, "Usage: something");
  });
}

BOOST_AUTO_TEST_CASE(a_program_that_does_not_exist_is_a_system_error) {
  BOOST_CHECK_THROW((Client{Program{.command = {"/no/such/server"}}}), std::system_error);
}

BOOST_AUTO_TEST_CASE(a_server_that_never_answers_is_given_up_when_the_program_wants_to_end) {
  std::stop_source stop;
  ClientOptions options;
  options.stop = stop.get_token();
  const std::jthread ender{[&] { stop.request_stop(); }};
  BOOST_CHECK_THROW((Client{Program{.command = {"sh", "-c", "while :; do sleep 10; done"}}, options}), ConnectionError);
}

BOOST_AUTO_TEST_CASE(a_server_that_ignores_everything_is_killed_within_the_grace) {
  ClientOptions options = legacy();
  options.grace = {.after_end_of_input = 10ms, .after_terminate = 10ms};
  pid_t id = 0;
  {
    Client client{legacy_server("trap '' TERM; while :; do sleep 1; done"), options};
    id = client.process()->id();
  }
  BOOST_TEST(::kill(id, 0) != 0);
}
