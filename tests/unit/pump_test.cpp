// A server that a loop of the program drives: here poll(2).
#include <toolwire/client.hpp>
#include <toolwire/server.hpp>
#include <toolwire/system/file_descriptor.hpp>

#define BOOST_TEST_MODULE pump_test
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "gates.hpp"
#include "scratch_folder.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using toolwire_test::Gates;
using toolwire_test::ScratchFolder;

namespace {

struct Text {
  std::string text;
  static constexpr auto describe() { return fields(field<&Text::text>("Any text")); }
};

/// A connection, the server's end of which is pumped.
struct Ends {
  Ends() {
    int both[2];
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) == 0);
    ours = system::FileDescriptor{both[0]};
    theirs = system::FileDescriptor{both[1]};
  }
  system::FileDescriptor ours;
  system::FileDescriptor theirs;
};

bool is_readable(int descriptor, int milliseconds = 0) {
  pollfd waiting{descriptor, POLLIN, 0};
  return ::poll(&waiting, 1, milliseconds) > 0;
}

/// The loop of the program. Returns when the pump is over; false if `may_go_on` has ended it.
bool loop(
    Pump& pump, const std::function<bool()>& may_go_on = [] { return true; }) {
  while (may_go_on()) {
    if (is_readable(pump.descriptor(), 5) && !pump.run_ready()) return true;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(tools_run_on_the_thread_of_the_loop_until_the_client_leaves) {
  Ends ends;
  Server server({"pumped", "1"});
  const auto here = std::this_thread::get_id();
  server.tool("where", "Which thread", [here] { return std::this_thread::get_id() == here ? "here" : "elsewhere"; });
  const auto transport = descriptor_transport(ends.theirs.get(), ends.theirs.get());
  Pump pump(server, *transport);
  int heard = 0;
  std::thread client([&ends, &heard] {
    const auto end = descriptor_transport(ends.ours.get(), ends.ours.get());
    {
      Client asking(*end);
      for (int i = 0; i < 50; ++i) heard += asking.call("where", JsonObject{}).text() == "here" ? 1 : 0;
    }
    ::shutdown(ends.ours.get(), SHUT_WR);
  });
  BOOST_TEST(loop(pump));
  BOOST_TEST(!pump.run_ready());
  client.join();
  BOOST_TEST(heard == 50);
}

BOOST_AUTO_TEST_CASE(nothing_is_ready_while_nothing_has_come_and_a_call_makes_it_ready) {
  Ends ends;
  Server server({"pumped", "1"});
  server.tool("echo", "The text", [](const Text& said) { return said.text; });
  const auto transport = descriptor_transport(ends.theirs.get(), ends.theirs.get());
  Pump pump(server, *transport);
  while (is_readable(pump.descriptor())) BOOST_REQUIRE(pump.run_ready());
  BOOST_TEST(!is_readable(pump.descriptor(), 50));
  const std::string ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                           "\n";
  BOOST_REQUIRE(::send(ends.ours.get(), ping.data(), ping.size(), 0) > 0);
  BOOST_TEST(is_readable(pump.descriptor(), 10'000));
  BOOST_TEST(pump.run_ready());
  BOOST_TEST(is_readable(ends.ours.get()));
  BOOST_TEST(!is_readable(pump.descriptor(), 50));
}

BOOST_AUTO_TEST_CASE(so_many_jobs_run_at_once_and_the_rest_keeps_the_descriptor_ready) {
  Ends ends;
  Server server({"pumped", "1"});
  int ran = 0;
  server.tool("count", "Counts", [&ran] { return ++ran; });
  const auto transport = descriptor_transport(ends.theirs.get(), ends.theirs.get());
  Pump pump(server, *transport);
  std::string calls;
  for (int i = 1; i <= 10; ++i) {
    calls += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) +
             R"(,"method":"tools/call","params":{"name":"count","_meta":{)"
             R"("io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":)"
             R"({"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}})"
             "\n";
  }
  BOOST_REQUIRE(::send(ends.ours.get(), calls.data(), calls.size(), 0) == static_cast<ssize_t>(calls.size()));
  for (int before = 0; ran < 10; before = ran) {
    BOOST_REQUIRE(is_readable(pump.descriptor()));
    BOOST_REQUIRE(pump.run_ready(3));
    BOOST_TEST(ran - before <= 3);
  }
  BOOST_TEST(ran == 10);
}

BOOST_AUTO_TEST_CASE(a_client_that_does_not_read_does_not_stop_the_loop) {
  Ends ends;
  Server server({"pumped", "1"});
  server.tool("much", "A megabyte, and progress", [](Context& context) {
    for (int i = 0; i < 100; ++i) context.progress(i, 100, std::string(10'000, 'p'));
    return std::string(1'000'000, 'x');
  });
  const auto transport = descriptor_transport(ends.theirs.get(), ends.theirs.get());
  Pump pump(server, *transport);
  std::string calls;
  for (int i = 1; i <= 20; ++i) {
    calls += R"({"jsonrpc":"2.0","id":)" + std::to_string(i) +
             R"(,"method":"tools/call","params":{"name":"much","_meta":{"progressToken":)" + std::to_string(i) +
             R"(,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":)"
             R"({"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}})"
             "\n";
  }
  BOOST_REQUIRE(::send(ends.ours.get(), calls.data(), calls.size(), 0) == static_cast<ssize_t>(calls.size()));
  while (is_readable(pump.descriptor(), 50)) BOOST_REQUIRE(pump.run_ready());
  int answers = 0;
  std::string heard;
  while (answers < 20) {
    char bytes[65536];
    if (is_readable(pump.descriptor())) BOOST_REQUIRE(pump.run_ready());
    const ssize_t count = ::recv(ends.ours.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (count <= 0) continue;
    heard.append(bytes, static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = heard.find('\n')) != std::string::npos; heard.erase(0, end + 1))
      if (heard.substr(0, end).find("\"result\"") != std::string::npos) ++answers;
  }
}

BOOST_AUTO_TEST_CASE(deadlines_pass_and_answers_come_later) {
  Ends ends;
  Server server({"pumped", "1"});
  Gates gates;
  server.tool({.name = "slow", .description = "Answers too late", .timeout = 30ms},
              [&gates](Reply reply) { gates.keep("slow", std::move(reply)); });
  server.tool("later", "Answers later", [&gates](Reply reply) {
    gates.keep("later", std::move(reply));
    gates.open("kept");
  });
  const auto transport = descriptor_transport(ends.theirs.get(), ends.theirs.get());
  Pump pump(server, *transport);
  std::atomic<bool> over{false};
  std::string slow;
  std::string later;
  std::thread client([&] {
    const auto end = descriptor_transport(ends.ours.get(), ends.ours.get());
    Client asking(*end);
    slow = asking.call("slow", JsonObject{}).text();
    CallHandle call = asking.start_call("later", JsonObject{});
    gates.wait("kept", {});
    (*gates.take("later"))("at last");
    later = call.wait().text();
    over = true;
  });
  BOOST_TEST(!loop(pump, [&over] { return !over; }));
  client.join();
  BOOST_TEST(slow.find("timed out") != std::string::npos, slow);
  BOOST_TEST(later == "at last");
}

BOOST_AUTO_TEST_CASE(those_who_connect_are_served_and_a_stop_from_another_thread_ends_it) {
  const ScratchFolder folder;
  const std::string path = (folder / "socket").string();
  Server server({"pumped", "1"});
  server.tool("echo", "The text", [](const Text& said) { return said.text; });
  server.listen(UnixSocket{path});
  Pump pump(server);
  std::vector<std::string> heard;
  std::thread others([&] {
    Client one(connect_unix_socket(path));
    Client two(connect_unix_socket(path));
    heard.push_back(one.call("echo", {{"text", "one"}}).text());
    heard.push_back(two.call("echo", {{"text", "two"}}).text());
    server.stop();
  });
  BOOST_TEST(loop(pump));
  others.join();
  BOOST_TEST(heard == (std::vector<std::string>{"one", "two"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_pump_that_goes_takes_its_clients_with_it) {
  Ends ends;
  const ScratchFolder folder;
  Server server({"pumped", "1"});
  server.listen(UnixSocket{(folder / "socket").string()});
  {
    const auto transport = descriptor_transport(ends.theirs.get(), ends.theirs.get());
    Pump pump(server, *transport);
    pump.run_ready();
    BOOST_TEST(std::filesystem::exists(folder / "socket"));
  }
  BOOST_TEST(!std::filesystem::exists(folder / "socket"));
}

BOOST_AUTO_TEST_CASE(a_file_as_input_is_read_to_its_end) {
  const ScratchFolder folder;
  const std::string input = folder
                                .file("in", R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                                            "\n")
                                .string();
  const system::FileDescriptor in{::open(input.c_str(), O_RDONLY | O_CLOEXEC)};
  const std::string answers = (folder / "out").string();
  const system::FileDescriptor out{::open(answers.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)};
  Server server({"pumped", "1"});
  const auto transport = descriptor_transport(in.get(), out.get());
  Pump pump(server, *transport);
  BOOST_TEST(loop(pump));
  std::ifstream file(answers);
  std::string line;
  std::getline(file, line);
  BOOST_TEST(line == R"({"jsonrpc":"2.0","id":1,"result":{}})");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_waited_for_is_refused_and_two_pumps_cannot_share_the_listeners) {
  Server server({"pumped", "1"});
  const auto [ours, theirs] = memory_transports();
  BOOST_CHECK_THROW(Pump(server, *theirs), std::invalid_argument);
  const Pump one(server);
  BOOST_CHECK_THROW(Pump{server}, std::logic_error);
}
