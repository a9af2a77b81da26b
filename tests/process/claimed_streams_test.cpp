// claim_stdio: what a program prints before it serves does not reach the client.
#include <toolwire/command_line.hpp>
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE claimed_streams_test
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "forked.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

constexpr std::string_view ping = R"({"jsonrpc":"2.0","id":1,"method":"ping"})"
                                  "\n";
constexpr std::string_view pong = R"({"jsonrpc":"2.0","id":1,"result":{}})"
                                  "\n";
constexpr std::string_view banner = "from a descriptor from a child\nfrom a buffer from a stream\n";

/// In each of the ways a program has, also some that come out later than the server begins.
void print_banner() {
  std::printf("from a buffer ");
  std::cout << "from a stream\n";
  if (::write(STDOUT_FILENO, "from a descriptor ", 18) != 18) std::abort();
  if (std::system("echo from a child") != 0) std::abort();  // NOLINT(cert-env33-c): a child with our streams
}

int serve(std::vector<const char*> options) {
  Server server({"claimed", "1.2.3"});
  server.tool("length", "Length", args("text"), [](const std::string& text) { return text.size(); });
  options.insert(options.begin(), "claimed");
  const int status = server.run_stdio(static_cast<int>(options.size()), options.data());
  std::fflush(stdout);
  return status;
}

int claim_print_and_serve(std::vector<const char*> options) {
  claim_stdio();
  print_banner();
  return serve(std::move(options));
}

/// With a claim, and the input there is; what it printed to standard output.
struct Run {
  explicit Run(const std::vector<const char*>& options, std::string_view input = "") {
    Forked process{[&] { return claim_print_and_serve(options); }};
    process.send(input);
    process.close_input();
    output = process.output();
    errors = process.errors();
    status = process.wait();
  }
  std::string output;
  std::string errors;
  int status = -1;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_banner_does_not_reach_the_client) {
  const Run run({}, ping);
  BOOST_TEST(run.output == pong);
  BOOST_TEST(run.errors == banner);
  BOOST_TEST(run.status == 0);
}

BOOST_AUTO_TEST_CASE(without_a_claim_it_does) {
  Forked process{[] {
    print_banner();
    return serve({});
  }};
  process.send(ping);
  process.close_input();
  BOOST_TEST(process.output() == "from a descriptor from a child\n" + std::string(pong));
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(a_claim_may_be_repeated) {
  Forked process{[] {
    claim_stdio();
    claim_stdio();
    return claim_print_and_serve({});
  }};
  process.send(ping);
  process.close_input();
  BOOST_TEST(process.output() == pong);
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(a_claim_while_it_serves_does_nothing) {
  Forked process{[] {
    const auto streams = standard_streams();
    claim_stdio();
    release_stdio();
    std::printf("printed");
    std::fflush(stdout);
    return streams->write("protocol", 8, Transport::Blocking::yes) == 8 ? 0 : 1;
  }};
  BOOST_TEST(process.output() == "protocol");
  BOOST_TEST(process.errors() == "printed");
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(options_that_print_have_the_real_output) {
  BOOST_TEST(Run({"--version"}).output == "claimed 1.2.3\n");
  BOOST_TEST(Run({"--help"}).output.starts_with("An MCP server"));
  const Run list({"--list"});
  BOOST_TEST(list.output.starts_with("length"));
  BOOST_TEST(list.errors == banner);
  BOOST_TEST(list.status == 0);
}

BOOST_AUTO_TEST_CASE(a_tool_that_is_called_by_hand_prints_its_result_there) {
  const Run run({"--call", "length", R"({"text":"abc"})"});
  BOOST_TEST(run.output == "3\n");
  BOOST_TEST(run.errors == banner);
  BOOST_TEST(Run({"--call", "length", "-"}, R"({"text":"abcd"})").output == "4\n");
}

BOOST_AUTO_TEST_CASE(a_program_may_take_them_back) {
  Forked process{[] {
    claim_stdio();
    std::printf("banner ");
    release_stdio();
    release_stdio();
    std::printf("exported ");
    std::string word;
    std::cin >> word;
    std::printf("%s", word.c_str());
    std::fflush(stdout);
    return 0;
  }};
  process.send("input\n");
  BOOST_TEST(process.output() == "exported input");
  BOOST_TEST(process.errors() == "banner ");
  BOOST_TEST(process.wait() == 0);
}

BOOST_AUTO_TEST_CASE(streams_that_are_closed_stay_closed) {
  Forked process{[] {
    ::close(STDIN_FILENO);
    ::close(STDOUT_FILENO);
    claim_stdio();
    std::printf("banner");
    release_stdio();
    return ::write(STDOUT_FILENO, "x", 1) == -1 && ::close(STDIN_FILENO) == -1 ? 0 : 1;
  }};
  BOOST_TEST(process.output().empty());
  BOOST_TEST(process.errors() == "banner");
  BOOST_TEST(process.wait() == 0);
}
