// A client whose server dies, and is started again for the next call.
#include <toolwire/client.hpp>
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE client_restart_test
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "scratch_folder.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::ScratchFolder;

namespace {

/// A server in shell, of revision 2025-11-25: its version counts its starts; `die` ends it, `hang` is not answered, and
/// whatever else is asked for is answered with the version. With a file "broken" it does not start, with "slow" it
/// starts, but never answers.
constexpr const char* mortal = R"sh(echo . >>starts
version=$(wc -l <starts)
[ -e broken ] && { echo 'nothing works' >&2; exit 7; }
[ -e slow ] && exec sleep 1000
while read -r line; do
  case $line in *'"id"'*) ;; *) continue ;; esac
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
    *'"initialize"'*)
      echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{}},"serverInfo":{"name":"sh","version":"'"$version"'"}}}' ;;
    *'"logging/setLevel"'*)
      echo "$version" >>levels
      echo '{"jsonrpc":"2.0","id":'"$id"',"result":{}}' ;;
    *'"die"'*) echo 'out of luck' >&2; exit 3 ;;
    *'"hang"'*) ;;
    *) echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"content":[{"type":"text","text":"'"$version"'"}]}}' ;;
  esac
done
)sh";

struct Mortal {
  explicit Mortal(BackOffOptions back_off = {.first = 1h, .longest = 1h, .stable = 1h}) {
    options.revision = "2025-11-25";
    options.restart = back_off;
  }
  Program program() const { return {.command = {"sh", "-c", mortal}, .directory = folder.text()}; }
  void make(const std::string& file) const { folder.file(file); }
  void remove(const std::string& file) const { std::filesystem::remove(folder / file); }
  std::string contents(const std::string& file) const {
    std::ifstream stream(folder / file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::size_t starts() const { return contents("starts").size() / 2; }

  ScratchFolder folder;
  ClientOptions options;
};

/// What the call says that cannot be made.
std::string error_of(Client& client, std::string_view tool, CallOptions options = {}) {
  try {
    return "answered: " + client.call(tool, {}, std::move(options)).text();
  } catch (const ConnectionError& error) {
    return error.what();
  }
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(the_next_call_starts_a_server_that_was_lost) {
  Mortal server;
  Client client(server.program(), server.options);
  BOOST_TEST(client.call("x").text() == "1");
  const ServerDescription& before = client.server();
  const int process = client.process()->id();
  BOOST_TEST(contains(error_of(client, "die"), "exited with status 3"));
  BOOST_TEST(server.starts() == 1u);  // nothing unasked
  BOOST_TEST(client.call("x").text() == "2");
  BOOST_TEST(client.server().version == "2");
  BOOST_TEST(before.version == "1");
  BOOST_TEST(client.process()->id() != process);
}

BOOST_AUTO_TEST_CASE(calls_under_way_are_lost_and_not_repeated) {
  Mortal server;
  Client client(server.program(), server.options);
  CallHandle first = client.start_call("hang");
  CallHandle second = client.start_call("hang");
  BOOST_TEST(contains(error_of(client, "die"), "out of luck"));
  BOOST_CHECK_THROW(first.wait(), ConnectionError);
  BOOST_CHECK_THROW(second.wait(), ConnectionError);
  BOOST_TEST(client.call("x").text() == "2");
  BOOST_TEST(server.starts() == 2u);
}

BOOST_AUTO_TEST_CASE(a_server_that_dies_again_is_not_started_in_a_loop) {
  Mortal server;
  Client client(server.program(), server.options);
  error_of(client, "die");
  BOOST_TEST(contains(error_of(client, "die"), "exited with status 3"));  // of the second one
  for (int i = 0; i < 50; ++i) {
    const std::string error = error_of(client, "x");
    BOOST_TEST(contains(error, "out of luck"));
    BOOST_TEST(contains(error, "2 times in a row"));
    BOOST_TEST(contains(error, "a call after 3"));
  }
  BOOST_TEST(server.starts() == 2u);
}

BOOST_AUTO_TEST_CASE(a_server_that_does_not_start_says_so_and_is_tried_again_later) {
  Mortal server({.first = 1ms, .longest = 2ms, .stable = 1h});
  Client client(server.program(), server.options);
  server.make("broken");
  error_of(client, "die");
  const std::string error = error_of(client, "x");
  BOOST_TEST(contains(error, "exited with status 7"));
  BOOST_TEST(contains(error, "nothing works"));
  BOOST_TEST(contains(error, "2 times in a row"));
  server.remove("broken");
  std::string answer;
  do answer = error_of(client, "x");
  while (!contains(answer, "answered"));  // the test's own time limit ends it
  BOOST_TEST(answer == "answered: 3");
}

BOOST_AUTO_TEST_CASE(one_that_ran_for_a_while_is_started_at_once) {
  Mortal server({.first = 1h, .longest = 1h, .stable = 0ms});
  Client client(server.program(), server.options);
  for (const char* version : {"1", "2", "3", "4"}) {
    BOOST_TEST(client.call("x").text() == version);
    error_of(client, "die");
  }
}

BOOST_AUTO_TEST_CASE(whoever_waits_for_the_start_waits_no_longer_than_for_an_answer) {
  Mortal server;
  std::optional<Client> client(std::in_place, server.program(), server.options);
  error_of(*client, "die");
  server.make("slow");
  BOOST_TEST(contains(error_of(*client, "x", {.timeout = 20ms}), "not ready after 20 ms"));
  client.reset();  // does not wait for the start
}

BOOST_AUTO_TEST_CASE(what_does_not_wait_is_refused_while_it_starts) {
  Mortal server;
  Client client(server.program(), server.options);
  std::promise<std::string> answer;
  std::promise<std::string> refusal;
  // On the thread that has read the end, as a program does that repeats what was lost.
  client.start_call("hang", {}, {}, [&](CallOutcome&&) {
    try {
      client.start_call("x", {}, {}, [](CallOutcome&&) {});
      refusal.set_value("none");
    } catch (const ConnectionError& error) {
      refusal.set_value(error.what());
    }
  });
  error_of(client, "die");
  BOOST_TEST(contains(refusal.get_future().get(), "is being started again"));
  BOOST_TEST(client.call("x").text() == "2");
  client.start_call("x", {}, {},
                    [&](CallOutcome&& outcome) { answer.set_value(std::get<CallResult>(outcome).text()); });
  BOOST_TEST(answer.get_future().get() == "2");
}

BOOST_AUTO_TEST_CASE(all_is_agreed_on_anew_and_the_program_is_told) {
  Mortal server;
  std::promise<std::string> told;
  std::atomic<Client*> user{nullptr};
  server.options.on_restarted = [&](const ServerDescription& description) {
    told.set_value(description.version + " " + user.load()->call("x").text());  // it may use the client
  };
  std::atomic<int> losses{0};
  server.options.on_lost = [&](const std::string&) { ++losses; };
  Client client(server.program(), server.options);
  user = &client;
  client.set_log_level(LogLevel::error);
  const Subscription lists = client.subscribe_lists([] {});
  BOOST_TEST(lists.is_active());
  error_of(client, "die");
  BOOST_TEST(client.call("x").text() == "2");
  BOOST_TEST(told.get_future().get() == "2 2");
  BOOST_TEST(server.contents("levels") == "1\n2\n");
  BOOST_TEST(!lists.is_active());
  BOOST_TEST(losses == 1);
}

BOOST_AUTO_TEST_CASE(settings_that_would_do_nothing_are_refused) {
  auto [ours, theirs] = memory_transports();
  ClientOptions options;
  options.restart.emplace();
  BOOST_CHECK_THROW(Client(*ours, options), std::invalid_argument);
  ClientOptions told;
  told.on_restarted = [](const ServerDescription&) {};
  BOOST_CHECK_THROW(Client(*ours, told), std::invalid_argument);
  BOOST_CHECK_THROW(Client(Mortal().program(), told), std::invalid_argument);
}
