#include "bench/session.hpp"

namespace toolwire::bench {
namespace {

constexpr std::chrono::seconds session_timeout{120};
constexpr Id handshake_id = 1;
constexpr Id list_id = 2;

constexpr std::string_view initialize =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
    R"("clientInfo":{"name":"toolwire-bench-stdio","version":"1.0.0"}}})"
    "\n";
constexpr std::string_view initialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                                         "\n";
constexpr std::string_view list_tools = R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"
                                        "\n";

}  // namespace

Session::Session(const Candidate& candidate)
    : child_(candidate.command, session_timeout, candidate.show_stderr), wire_(child_.input(), child_.output()) {
  shake_hands();
}

void Session::shake_hands() {
  const auto answer = ask(initialize, handshake_id);
  start_up_ = Clock::now() - started_;
  if (is_refusal(answer)) throw MeasureFailed("initialize was refused: " + std::string(answer.substr(0, 200)));
  const auto version = value_of(answer, "protocolVersion");
  if (version == std::string_view::npos || !answer.substr(version).starts_with("\"2025-06-18\""))
    throw MeasureFailed("the server does not agree to revision 2025-06-18: " + std::string(answer.substr(0, 200)));
  wire_.send(initialized);
}

bool Session::has_tool(std::string_view tool) { return lists_tool(ask(list_tools, list_id), tool); }

std::string_view Session::ask(std::string_view line, Id id) {
  wire_.send(line);
  for (;;) {
    const auto answer = wire_.line();
    const auto answered = answered_id(answer);
    if (answered == id) return answer;
    if (answered)
      throw MeasureFailed("expected the answer to " + std::to_string(id) + ", got that to " +
                          std::to_string(*answered));
  }
}

std::optional<std::string_view> Session::answer_before(Id id, Time limit) {
  while (const auto line = wire_.line_before(limit))
    if (answered_id(*line) == id) return line;
  return std::nullopt;
}

}  // namespace toolwire::bench
