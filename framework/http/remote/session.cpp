#include "remote/session.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <toolwire/json_members.hpp>

#include <toolwire/http/detail/header_text.hpp>

namespace toolwire::remote {
namespace {

constexpr std::size_t max_session_id = 4096;  // bytes
constexpr std::chrono::milliseconds for_the_farewell{1000};

/// 2025-11-25 basic/transports: visible ASCII characters only.
bool is_session_id(std::string_view text) {
  return text.size() <= max_session_id && std::ranges::all_of(text, [](char c) { return c >= 0x21 && c <= 0x7e; });
}

bool is_revision(std::string_view text) { return text.size() <= 64 && header_text::is_token(text); }

}  // namespace

bool is_of_protocol(std::string_view header) {
  constexpr std::array<std::string_view, 16> names{"accept",
                                                   "accept-encoding",
                                                   "connection",
                                                   "content-encoding",
                                                   "content-length",
                                                   "content-type",
                                                   "expect",
                                                   "host",
                                                   "keep-alive",
                                                   "last-event-id",
                                                   "mcp-session-id",
                                                   "mcp-protocol-version",
                                                   "mcp-method",
                                                   "mcp-name",
                                                   "te",
                                                   "transfer-encoding"};
  const std::string name = header_text::lower(header);
  return std::ranges::find(names, std::string_view(name)) != names.end() || name.starts_with("mcp-param-") ||
         name == "trailer" || name == "upgrade";
}

Session::Session(RemoteServer server)
    : server_(std::move(server)), origin_(http_origin_of(server_.url).value_or(server_.url)) {}

HttpRequest Session::request(const char* method) const {
  HttpRequest made{.method = method, .url = server_.url, .headers = server_.headers};
  made.origin = HttpOrigin::operators;
  made.proxy_of_environment = true;
  return made;
}

HttpRequest Session::post_of(const SentMessage& message) const {
  HttpRequest made = request("POST");
  made.body = message.text;
  made.headers.emplace_back("Content-Type", "application/json");
  made.headers.emplace_back("Accept", "application/json, text/event-stream");
  if (message.modern()) {
    made.headers.emplace_back("MCP-Protocol-Version", message.revision);
    made.headers.emplace_back("Mcp-Method", message.method);
    if (!message.name.empty()) made.headers.emplace_back("Mcp-Name", header_value(message.name));
    for (auto& header : parameters_.headers_for(message.name, message.arguments))
      made.headers.push_back(std::move(header));
  } else if (message.method != "initialize") {
    if (!revision_.empty()) made.headers.emplace_back("MCP-Protocol-Version", revision_);
    if (!id_.empty()) made.headers.emplace_back("Mcp-Session-Id", id_);
  }
  return made;
}

HttpRequest Session::stream(const std::string& last_id) const {
  HttpRequest made = request("GET");
  made.headers.emplace_back("Accept", "text/event-stream");
  if (!revision_.empty()) made.headers.emplace_back("MCP-Protocol-Version", revision_);
  if (!id_.empty()) made.headers.emplace_back("Mcp-Session-Id", id_);
  if (!last_id.empty()) made.headers.emplace_back("Last-Event-ID", last_id);
  return made;
}

std::optional<HttpRequest> Session::farewell() const {
  if (id_.empty()) return std::nullopt;
  HttpRequest made = request("DELETE");
  made.headers.emplace_back("MCP-Protocol-Version", revision_);
  made.headers.emplace_back("Mcp-Session-Id", id_);
  made.deadline = HttpRequest::Clock::now() + for_the_farewell;
  return made;
}

std::optional<std::string> Session::learn(const SentMessage& message, const HttpResponse& head, const Json& answer) {
  const Json& result = member_or_null(answer, "result");
  if (message.modern() && message.method == "tools/list") parameters_.learn(result);
  if (!message.is_opening() || result.is_null()) return std::nullopt;
  if (message.method == "initialize") {
    revision_ = text_or(result, "protocolVersion");
    id_ = head.header("mcp-session-id").value_or("");
    if (!is_revision(revision_)) return origin_ + " answered \"initialize\" without a protocolVersion";
    if (!is_session_id(id_)) return origin_ + " gave a session id that is none: expected visible ASCII characters";
  }
  is_open_ = true;
  return std::nullopt;
}

Conversation Session::conversation() const {
  return {.origin = origin_, .has_session = !id_.empty(), .is_open = is_open_};
}

}  // namespace toolwire::remote
