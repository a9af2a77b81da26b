// One HTTP request and its answer as the provider's parts see them. Plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/context.hpp>
#include <toolwire/http/exchange.hpp>

namespace toolwire::bridge::http {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method = {};
  std::string path = {};  // percent-decoded, without the query
  Headers headers = {};   // names in lower case, in the order they came

  /// The value of the only header of this name (in lower case); nothing if there is none or several.
  [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const;
};

struct Answer {
  int status = 200;
  Headers headers = {};
  std::string body = {};  // JSON, unless a header Content-Type says something else
};

Request request_of(const toolwire::http::Request& head);
/// That of its header fields; what breaks its format is left out.
TraceContext trace_of(const Request& request);
/// As it is sent.
toolwire::http::Reply reply_of(Answer answer);

/// "Not Found" for 404.
std::string_view reason_of(int status);

/// `{"error": "Not Found", "message": …}`, as the discovery protocol has it.
Answer error_answer(int status, std::string_view message);

}  // namespace toolwire::bridge::http
