// The examples of framework/http/examples, adapters and a server, each a program of its own, as the program curl sees
// them.
#define BOOST_TEST_MODULE http_adapters_test
#include <boost/test/unit_test.hpp>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <toolwire/child_process.hpp>
#include <toolwire/json.hpp>
#include <vector>

#include "curl.hpp"

using namespace std::chrono_literals;
using namespace toolwire;
using namespace toolwire_test;

namespace {

/// One of them, which says its address in its first line.
struct Example {
  explicit Example(const std::string& name) : process({.command = {std::string(TOOLWIRE_BIN_DIR) + "/" + name}}) {
    std::array<char, 256> bytes{};
    while (!address.ends_with('\n')) {
      const auto count = process.transport().read(bytes.data(), bytes.size());
      BOOST_REQUIRE(count > 0);
      address.append(bytes.data(), static_cast<std::size_t>(count));
    }
    address.pop_back();
  }
  ~Example() { process.kill(); }

  static std::string call_of(const std::string& tool, const std::string& arguments) {
    return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" +
           arguments + R"(,"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)" +
           R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
  }
  CurlAnswer call(const std::string& tool, const std::string& arguments, std::vector<std::string> more = {}) const {
    std::vector<std::string> options{address,
                                     "-N",
                                     "-H",
                                     "Content-Type: application/json",
                                     "-H",
                                     "Accept: application/json, text/event-stream",
                                     "-H",
                                     "MCP-Protocol-Version: 2026-07-28",
                                     "-H",
                                     "Mcp-Method: tools/call",
                                     "-H",
                                     "Mcp-Name: " + tool,
                                     "--data-binary",
                                     call_of(tool, arguments)};
    options.insert(options.end(), more.begin(), more.end());
    return curl(std::move(options));
  }
  /// What a call came to, as JSON or, where the machine is slow, as the last event of a stream.
  std::string result_of(const std::string& tool, const std::string& arguments) const {
    const CurlAnswer answer = call(tool, arguments);
    BOOST_TEST(answer.status == 200);
    const bool is_stream = answer.header("content-type") == "text/event-stream";
    BOOST_TEST((is_stream || answer.header("content-type") == "application/json"));
    const std::size_t begin = is_stream ? answer.body.rfind("data: ") + 6 : 0;
    const Json said = parse_json(answer.body.substr(begin));
    return std::string(said.at("result").at("content").at(0).at("text").as_string());
  }

  ChildProcess process;
  std::string address;
};

void check(const std::string& name) {
  if (!std::filesystem::exists(std::string(TOOLWIRE_BIN_DIR) + "/" + name)) return;  // where its library is not there
  BOOST_TEST_CONTEXT(name) {
    const Example example(name);
    BOOST_TEST(example.result_of("add", R"({"a":40,"b":2})") == "42");

    const CurlAnswer stream = example.call("count", R"({"to":5})");
    BOOST_TEST(stream.status == 200);
    BOOST_TEST(stream.header("content-type") == "text/event-stream");
    BOOST_TEST(stream.header("x-accel-buffering") == "no");
    BOOST_TEST(stream.body.starts_with("data: {"));
    BOOST_TEST(stream.body.find("notifications/progress") < stream.body.find("counted to 5"));

    const CurlAnswer refused = curl({example.address});
    BOOST_TEST(refused.status == 405);
    BOOST_TEST(refused.header("allow") == "POST");
    BOOST_TEST(curl({example.address, "-d", "{}", "-H", "Host: evil.example"}).status == 403);

    BOOST_TEST(example.call("count", R"({"to":1000000})", {"--max-time", "0.5"}).exit == 28);  // it leaves
    bool is_over = false;
    for (int i = 0; i < 200 && !is_over; ++i) {
      is_over = example.result_of("counting", "{}") == "0";
      if (!is_over) std::this_thread::sleep_for(50ms);
    }
    BOOST_TEST(is_over);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(plain_sockets) { check("http_plain_sockets"); }

BOOST_AUTO_TEST_CASE(cpp_httplib) { check("http_cpp_httplib"); }

BOOST_AUTO_TEST_CASE(civetweb) { check("http_civetweb"); }

BOOST_AUTO_TEST_CASE(qt_http_server) { check("http_qt_http_server"); }

BOOST_AUTO_TEST_CASE(boost_beast) { check("http_boost_beast"); }

BOOST_AUTO_TEST_CASE(a_server_of_its_own) { check("http_server"); }

/// What a program with an HTTP server has to write itself, without its own start: lines that hold code.
BOOST_AUTO_TEST_CASE(an_adapter_has_at_most_forty_lines) {
  for (const char* const name : {"plain_sockets", "cpp_httplib", "civetweb", "qt_http_server", "boost_beast"}) {
    std::ifstream source(std::string(TOOLWIRE_SOURCE_DIR) + "/framework/http/examples/" + name + ".cpp");
    bool is_adapter = false, has_ended = false;
    int lines = 0;
    for (std::string line; std::getline(source, line);) {
      if (line.starts_with("// The adapter")) is_adapter = true;
      has_ended = has_ended || line.starts_with("// The program");
      const std::size_t begin = line.find_first_not_of(' ');
      const bool is_code = begin != std::string::npos && line.compare(begin, 2, "//") != 0;
      lines += is_adapter && !has_ended && is_code ? 1 : 0;
    }
    BOOST_TEST(has_ended, name);
    BOOST_TEST(lines > 10, name);
    BOOST_TEST(lines <= 40, name << ": " << lines);
  }
}
