// A tool that goes on after its server has ended, in a program that goes on, too.
#include <toolwire/client.hpp>
#include <toolwire/engine.hpp>
#include <toolwire/server.hpp>
#include <toolwire/testing.hpp>

#define BOOST_TEST_MODULE stuck_tool_test
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

#include "comes_true.hpp"
#include "gates.hpp"
#include "scratch_folder.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::comes_true;
using toolwire_test::Gates;
using toolwire_test::ScratchFolder;

namespace {

/// What the tool holds, so that one sees when the server was let go with all its threads.
struct Held {};

/// A server whose one tool does not listen to anybody, run until it is stopped.
class Deaf {
 public:
  explicit Deaf(ServerOptions options) {
    options.on_stuck = OnStuck::detach;
    options.limits.drain = 20ms;
    server_.emplace(ServerInfo{"deaf", "1"}, std::move(options));
    server_->tool("deaf", "Waits, whatever one tells it", [gates = gates_, held = held_] {
      gates->open("begun");
      gates->wait("go on", {});
      return "at last";
    });
    server_->tool("ping", "Answers", [] { return "pong"; });
    server_->listen(UnixSocket{path()});
    held_.reset();
    running_ = std::async(std::launch::async, [this] { return server_->run(); });
  }

  std::string path() const { return (folder_ / "socket").string(); }
  Server& server() { return *server_; }
  Gates& gates() { return *gates_; }
  /// Calls the tool and waits until it runs.
  void call() {
    client_ = std::make_unique<Client>(connect_unix_socket(path()));
    answer_ = std::async(std::launch::async, [this] {
      try {
        return client_->call("deaf").text();
      } catch (const std::exception&) {
        return std::string("lost");
      }
    });
    gates_->wait("begun", {});
  }
  std::string answer() { return answer_.get(); }
  /// The status, or none if it has not returned.
  std::optional<int> returned() {
    if (running_.wait_for(20s) != std::future_status::ready) return std::nullopt;
    return running_.get();
  }
  void destroy() { server_.reset(); }
  bool holds_anything() const { return !seen_.expired(); }

 private:
  ScratchFolder folder_;
  const std::shared_ptr<Gates> gates_ = std::make_shared<Gates>();
  std::shared_ptr<Held> held_ = std::make_shared<Held>();
  const std::weak_ptr<Held> seen_ = held_;
  std::optional<Server> server_;
  std::future<int> running_;
  std::unique_ptr<Client> client_;
  std::future<std::string> answer_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_is_told_to_stop_at_its_deadline) {
  Gates gates;
  Server server{{"deaf", "1"}};
  server.tool({.name = "deaf", .timeout = 20ms}, [&gates](const Context& context) {
    const std::stop_callback tell(context.stop_token(), [&gates] { gates.open("told"); });
    gates.wait("go on", {});
  });
  testing::Client client(server);
  BOOST_TEST(client.call("deaf").is_error);
  gates.wait("told", {});  // the test's own time limit ends it, if nobody tells
  gates.open("go on");
}

BOOST_AUTO_TEST_CASE(a_tool_that_does_not_listen_is_left_to_itself) {
  Deaf deaf({});
  deaf.call();
  deaf.server().stop();
  const auto status = deaf.returned();
  if (!status) deaf.gates().open("go on");  // so that the failure is not a test without end
  BOOST_REQUIRE(status.has_value());
  BOOST_TEST(*status == 0);
  deaf.destroy();
  BOOST_TEST(deaf.holds_anything());  // it runs yet
  deaf.gates().open("go on");
  BOOST_TEST(deaf.answer() == "lost");  // whoever asked is let go with the tool
  BOOST_TEST(comes_true([&] { return !deaf.holds_anything(); }));
}

BOOST_AUTO_TEST_CASE(a_server_whose_tools_end_in_time_returns_as_ever) {
  Deaf deaf({});
  Client client(connect_unix_socket(deaf.path()));
  BOOST_TEST(client.call("ping").text() == "pong");
  deaf.server().stop();
  BOOST_TEST(deaf.returned().value_or(-1) == 0);
  deaf.destroy();
  BOOST_TEST(!deaf.holds_anything());
}

BOOST_AUTO_TEST_CASE(an_engine_of_the_programs_own_goes_on_and_serves_again_once_the_tool_has_ended) {
  const auto engine = std::make_shared<Engine>();
  Deaf deaf({.engine = engine});
  deaf.call();
  deaf.server().stop();
  const auto status = deaf.returned();
  if (!status) deaf.gates().open("go on");
  BOOST_REQUIRE(status.has_value());
  deaf.destroy();
  std::promise<void> ran;
  engine->post([&] { ran.set_value(); });
  BOOST_TEST((ran.get_future().wait_for(20s) == std::future_status::ready));
  {
    Server other({"other", "1"}, {.engine = engine});
    const ScratchFolder folder;
    other.listen(UnixSocket{(folder / "socket").string()});
    BOOST_CHECK_THROW(other.run(), std::logic_error);
  }
  deaf.gates().open("go on");
  BOOST_TEST(deaf.answer() == "lost");  // whoever asked is let go with the tool
  BOOST_TEST(comes_true([&] { return !deaf.holds_anything(); }));
  Deaf next({.engine = engine});
  Client client(connect_unix_socket(next.path()));
  BOOST_TEST(client.call("ping").text() == "pong");
  next.server().stop();
  BOOST_TEST(next.returned().value_or(-1) == 0);
}

BOOST_AUTO_TEST_CASE(a_tool_on_the_thread_that_serves_cannot_be_left) {
  BOOST_CHECK_EXCEPTION(
      Server({"deaf", "1"}, {.threads = 0, .on_stuck = OnStuck::detach}), std::invalid_argument,
      [](const std::invalid_argument& error) { return std::string(error.what()).starts_with("on_stuck: "); });
}
