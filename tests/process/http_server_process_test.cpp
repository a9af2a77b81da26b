// An HTTP server as a process: beside standard input and output, with sockets that were handed over, and its end.
#include <toolwire/http/listen.hpp>

#define BOOST_TEST_MODULE http_server_process_test
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include <csignal>
#include <string>
#include <toolwire/json.hpp>

#include "http_served.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;
using toolwire::system::FileDescriptor;

namespace {

/// A process that serves its standard input and output, and a port beside them; the first line it says is the port.
struct Process {
  Process() {
    int in[2], out[2];
    BOOST_REQUIRE(::pipe2(in, O_CLOEXEC) == 0);
    BOOST_REQUIRE(::pipe2(out, O_CLOEXEC) == 0);
    id = ::fork();
    if (id == 0) {
      ::dup2(in[0], STDIN_FILENO);
      ::dup2(out[1], STDOUT_FILENO);
      ::close(in[1]);
      serve();
    }
    ::close(in[0]);
    ::close(out[1]);
    input = FileDescriptor{in[1]};
    output = FileDescriptor{out[0]};
    port = static_cast<std::uint16_t>(std::stoi(line()));
  }
  ~Process() {
    if (id > 0) ::kill(id, SIGKILL);
    if (id > 0) ::waitpid(id, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[noreturn]] static void serve() {
    Server server({"both", "1"});
    std::atomic<int> waiting = 0;
    server.tool("echo", "The text", args("text"), [](const std::string& text) { return text; });
    server.tool("waiting", "How many wait", [&] { return waiting.load(); });
    server.tool("wait", "Waits until it is cancelled", [&](Context& context) {
      ++waiting;
      while (!context.stop_requested()) std::this_thread::sleep_for(1ms);
      return "stopped";
    });
    const std::string port = std::to_string(http::listen(server, patient())) + "\n";
    if (::write(STDOUT_FILENO, port.data(), port.size()) < 0) ::_exit(3);
    ::_exit(server.run_stdio());
  }
  std::string line() const {
    std::string text;
    for (char byte = 0; ::read(output.get(), &byte, 1) == 1 && byte != '\n';) text.push_back(byte);
    return text;
  }
  /// What is said on standard input, and the answer.
  std::string ask(const std::string& tool, const std::string& arguments) const {
    const std::string text = RawCall{.tool = tool, .arguments = arguments}.body() + "\n";
    BOOST_REQUIRE(::write(input.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    return line();
  }
  RawCall call(const std::string& tool, const std::string& arguments) const {
    return {.tool = tool, .arguments = arguments, .host = "127.0.0.1:" + std::to_string(port)};
  }
  int status() {
    int status = 0;
    BOOST_REQUIRE(::waitpid(std::exchange(id, -1), &status, 0) > 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  pid_t id = -1;
  FileDescriptor input;
  FileDescriptor output;
  std::uint16_t port = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(one_server_serves_its_host_and_a_port) {
  Process process;
  RawHttp client(process.port);
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST(process.ask("echo", R"({"text":"over pipes"})").find("over pipes") != std::string::npos);
    client.send(process.call("echo", R"({"text":"over HTTP"})").text());
    const auto answer = client.answer();
    BOOST_REQUIRE(answer.has_value());
    BOOST_TEST(answer->body.find("over HTTP") != std::string::npos);
  }
  process.input.reset();
  BOOST_TEST(client.is_over());
  BOOST_TEST(process.status() == 0);
}

BOOST_AUTO_TEST_CASE(a_call_over_http_holds_up_no_host_and_ends_with_the_process) {
  Process process;
  RawHttp client(process.port);
  client.send(process.call("wait", "{}").text());
  BOOST_TEST(comes_true([&] { return process.ask("waiting", "{}").find(R"("text":"1")") != std::string::npos; }));
  ::kill(process.id, SIGTERM);
  BOOST_TEST(process.status() == 0);
  const auto answer = client.answer();
  if (answer) BOOST_TEST(answer->status == 503);
  BOOST_TEST(client.is_over());
}

BOOST_AUTO_TEST_CASE(the_example_listens_where_it_is_told_to) {
  FileDescriptor listening{::socket(AF_INET, SOCK_STREAM, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  BOOST_REQUIRE(::bind(listening.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0);
  BOOST_REQUIRE(::listen(listening.get(), 8) == 0);
  BOOST_REQUIRE(::getsockname(listening.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  const std::string program = std::string(TOOLWIRE_BIN_DIR) + "/http_server";
  const pid_t child = ::fork();
  if (child == 0) {
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nothing, STDOUT_FILENO);
    if (listening.get() != 3) ::dup2(listening.get(), 3);
    ::execl("/bin/sh", "sh", "-c", "LISTEN_FDS=1 LISTEN_PID=$$ exec \"$0\"", program.c_str(), nullptr);
    ::_exit(127);
  }
  RawHttp client(ntohs(address.sin_port));  // who connects early waits
  const RawCall call{
      .tool = "add", .arguments = R"({"a":40,"b":2})", .host = "127.0.0.1:" + std::to_string(ntohs(address.sin_port))};
  client.send(call.text());
  const auto answer = client.answer();
  BOOST_TEST((answer && answer->body.find(R"("text":"42")") != std::string::npos));
  ::kill(child, SIGTERM);
  int status = 0;
  BOOST_TEST(::waitpid(child, &status, 0) == child);
  BOOST_TEST(status == 0);
}
