#include "http/message.hpp"

#include <algorithm>
#include <array>
#include <toolwire/json.hpp>

namespace toolwire::bridge::http {

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
  static constexpr std::array<Reason, 18> reasons{{{200, "OK"},
                                                   {304, "Not Modified"},
                                                   {400, "Bad Request"},
                                                   {401, "Unauthorized"},
                                                   {403, "Forbidden"},
                                                   {404, "Not Found"},
                                                   {405, "Method Not Allowed"},
                                                   {408, "Request Timeout"},
                                                   {413, "Payload Too Large"},
                                                   {415, "Unsupported Media Type"},
                                                   {416, "Range Not Satisfiable"},
                                                   {421, "Misdirected Request"},
                                                   {429, "Too Many Requests"},
                                                   {500, "Internal Server Error"},
                                                   {502, "Bad Gateway"},
                                                   {503, "Service Unavailable"},
                                                   {504, "Gateway Timeout"},
                                                   {507, "Insufficient Storage"}}};
  const auto* const found = std::ranges::find(reasons, status, &Reason::status);
  return found == reasons.end() ? "Error" : found->text;
}

Answer error_answer(int status, std::string_view message) {
  return {status, {}, to_json_text(JsonObject{{"error", reason_of(status)}, {"message", message}})};
}

}  // namespace toolwire::bridge::http
