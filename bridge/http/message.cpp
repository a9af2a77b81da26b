#include "http/message.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <toolwire/json.hpp>

#include <toolwire/http/detail/header_text.hpp>

namespace toolwire::bridge::http {
namespace {

/// What is no escape stays as it is.
std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char* const digits = text.data() + i + 1;
    unsigned char byte = 0;
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    decoded.push_back(is_escape ? static_cast<char>(byte) : text[i]);
    if (is_escape) i += 2;
  }
  return decoded;
}

}  // namespace

Request request_of(const toolwire::http::Request& head) {
  const std::string_view target = head.target;
  Request request{head.method, percent_decoded(target.substr(0, target.find_first_of("?#"))), {}};
  for (const auto& [name, value] : head.fields) request.headers.emplace_back(header_text::lower(name), value);
  return request;
}

TraceContext trace_of(const Request& request) {
  JsonObject found;
  for (const char* const name : {"traceparent", "tracestate", "baggage"}) {
    if (const auto value = request.header(name)) found[name] = *value;
  }
  return trace_in(found);
}

toolwire::http::Reply reply_of(Answer answer) {
  toolwire::http::Reply reply{.status = answer.status, .fields = {}, .body = std::move(answer.body)};
  bool has_type = answer.status == 304;
  for (auto& [name, value] : answer.headers) {
    has_type = has_type || name == "Content-Type";
    reply.fields.push_back({std::move(name), std::move(value)});
  }
  if (!has_type) reply.fields.push_back({"Content-Type", "application/json"});
  reply.fields.push_back({"X-Content-Type-Options", "nosniff"});
  return reply;
}

std::optional<std::string_view> Request::header(std::string_view name) const {
  std::optional<std::string_view> found;
  for (const auto& [key, value] : headers) {
    if (key != name) continue;
    if (found) return {};
    found = value;
  }
  return found;
}

bool Request::has(std::string_view name) const {
  return std::ranges::any_of(headers, [&](const auto& header) { return header.first == name; });
}

std::string_view reason_of(int status) {
  struct Reason {
    int status;
    std::string_view text;
  };
  static constexpr std::array<Reason, 23> reasons{{{200, "OK"},
                                                   {304, "Not Modified"},
                                                   {400, "Bad Request"},
                                                   {401, "Unauthorized"},
                                                   {403, "Forbidden"},
                                                   {404, "Not Found"},
                                                   {405, "Method Not Allowed"},
                                                   {408, "Request Timeout"},
                                                   {413, "Payload Too Large"},
                                                   {414, "URI Too Long"},
                                                   {415, "Unsupported Media Type"},
                                                   {416, "Range Not Satisfiable"},
                                                   {417, "Expectation Failed"},
                                                   {421, "Misdirected Request"},
                                                   {429, "Too Many Requests"},
                                                   {431, "Request Header Fields Too Large"},
                                                   {500, "Internal Server Error"},
                                                   {501, "Not Implemented"},
                                                   {502, "Bad Gateway"},
                                                   {503, "Service Unavailable"},
                                                   {504, "Gateway Timeout"},
                                                   {505, "HTTP Version Not Supported"},
                                                   {507, "Insufficient Storage"}}};
  const auto* const found = std::ranges::find(reasons, status, &Reason::status);
  return found == reasons.end() ? "Error" : found->text;
}

Answer error_answer(int status, std::string_view message) {
  return {status, {}, to_json_text(JsonObject{{"error", reason_of(status)}, {"message", message}})};
}

}  // namespace toolwire::bridge::http
