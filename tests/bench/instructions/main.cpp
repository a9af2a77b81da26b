// Runs one kind of request a given number of times, on one thread, without a system call between requests: to be run
// under a tool that counts instructions (callgrind). Prints nothing; the exit status is 1 if an answer is missing or
// wrong.
//
// usage: toolwire-bench-instructions CASE COUNT     CASE: call, modern, validated, list, large, large_escaped,
// large_wide
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include <toolwire/server.hpp>
#include <toolwire/transport.hpp>

namespace {

struct Echo {
  std::string text;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Echo::text>("Text to return")); }
};

/// Gives the server an opening and then one request per read; counts lines that answer with a result.
class Repeated final : public toolwire::Transport {
 public:
  Repeated(std::string opening, std::string before_id, std::string after_id, long count)
      : opening_(std::move(opening)), before_(std::move(before_id)), after_(std::move(after_id)), count_(count) {}

  std::ptrdiff_t read(char* into, std::size_t room) override {
    if (rest_.empty()) next_line();
    const std::size_t count = std::min(room, rest_.size());
    std::copy_n(rest_.data(), count, into);
    rest_.erase(0, count);
    return static_cast<std::ptrdiff_t>(count);
  }
  std::ptrdiff_t write(const char* bytes, std::size_t count, Blocking) override {
    const std::string_view text(bytes, count);
    for (std::size_t at = 0; (at = text.find("\"result\":", at)) != std::string_view::npos; ++at) ++answered_;
    return static_cast<std::ptrdiff_t>(count);
  }
  void interrupt() override {}
  bool input_closed() override { return sent_ == count_; }

  bool all_answered() const { return answered_ == count_ + (opening_.empty() ? 0 : 1); }

 private:
  void next_line() {
    if (!opened_ && !opening_.empty()) {
      rest_ = opening_;
    } else if (sent_ < count_) {
      rest_.assign(before_).append(std::to_string(++sent_)).append(after_);
    }
    opened_ = true;
  }

  const std::string opening_;
  const std::string before_;
  const std::string after_;
  const long count_;
  std::string rest_;
  long sent_ = 0;
  long answered_ = 0;
  bool opened_ = false;
};

constexpr std::string_view legacy_opening =
    R"({"jsonrpc":"2.0","id":"open","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
    R"("clientInfo":{"name":"bench","version":"1"}}})"
    "\n"
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
    "\n";
constexpr std::string_view modern_meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                                         R"("io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"},)"
                                         R"("io.modelcontextprotocol/clientCapabilities":{}},)";

struct Case {
  std::string_view name;
  std::string_view opening;
  std::string_view method;
  std::string_view meta;
  std::string_view params;
  std::string_view text;  // as JSON writes it; repeated to 1 MiB if the case is large
  bool large = false;
};

constexpr std::string_view small_text = "sixty-four bytes of plain text, as many calls carry them around";
constexpr std::string_view plain_text = "the quick brown fox jumps over the lazy dog, ";
constexpr std::string_view escaped_text = R"(line\n tab\t say\" two\\)";
constexpr std::string_view wide_text = "Grüße, Ωμέγα, 日本語のテキスト, emoji 🙂🚀 ";
constexpr std::string_view echo_params = R"("name":"echo","arguments":)";
constexpr std::size_t large_size = std::size_t{1} << 20;

constexpr std::array cases{
    Case{"call", legacy_opening, "tools/call", "", echo_params, small_text},
    Case{"modern", "", "tools/call", modern_meta, echo_params, small_text},
    Case{"validated", legacy_opening, "tools/call", "", R"("name":"checked","arguments":)", small_text},
    Case{"list", legacy_opening, "tools/list", "", "", ""},
    Case{"large", legacy_opening, "tools/call", "", echo_params, plain_text, true},
    Case{"large_escaped", legacy_opening, "tools/call", "", echo_params, escaped_text, true},
    Case{"large_wide", legacy_opening, "tools/call", "", echo_params, wide_text, true},
};

std::string arguments_of(const Case& one) {
  std::string text(one.text);
  while (one.large && text.size() < large_size) text += one.text;
  return R"({"text":")" + text + R"("})";
}

std::string after_id(const Case& one) {
  std::string rest = ",\"method\":\"" + std::string(one.method) + "\",\"params\":{" + std::string(one.meta);
  if (!one.params.empty()) rest.append(one.params).append(arguments_of(one));
  return rest + "}}\n";
}

void add_tools(toolwire::Server& server) {
  server.tool("echo", "Return the text unchanged", [](Echo echo) { return std::move(echo.text); });
  toolwire::ToolInfo checked{.name = "checked", .description = "The same, with a schema that is known at run time"};
  checked.input_schema = toolwire::parse_json(
      R"({"type":"object","properties":{"text":{"type":"string","maxLength":1000}},"required":["text"],
          "additionalProperties":false})");
  server.tool(std::move(checked),
              [](const toolwire::Json& arguments) { return std::string(arguments.at("text").get_string()); });
}

}  // namespace

int main(int argc, char** argv) {
  const auto* const chosen =
      std::find_if(cases.begin(), cases.end(), [&](const Case& one) { return argc == 3 && one.name == argv[1]; });
  if (chosen == cases.end()) {
    std::fputs("usage: toolwire-bench-instructions call|modern|validated|list COUNT\n", stderr);
    return 2;
  }
  toolwire::ServerOptions options;
  options.threads = 0;
  toolwire::Server server({.name = "bench", .version = "1"}, options);
  add_tools(server);
  Repeated transport(std::string(chosen->opening), R"({"jsonrpc":"2.0","id":)", after_id(*chosen),
                     std::strtol(argv[2], nullptr, 10));
  const int status = server.run(transport);
  return status == 0 && transport.all_answered() ? 0 : 1;
}
