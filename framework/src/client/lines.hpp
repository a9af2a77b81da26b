// Messages of a client as text: one line each, with its end.
#pragma once

#include <toolwire/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "client/dialect.hpp"

namespace toolwire::client {

/// What goes into `_meta` of a request beside what its caller has put into `params`.
struct RequestMeta {
  const JsonObject& own;   // unless it is empty, takes the place of `_meta` in the params
  const MetaText& common;  // of every request; members of the caller take precedence
  std::optional<std::int64_t> progress_token = {};
  std::string_view log_level = {};
};

/// Members without a value are left out, and so are empty params.
std::string request_line(std::int64_t id, std::string_view method, const JsonObject& params, const RequestMeta& meta);
/// `params` is left out if empty.
std::string notification_line(std::string_view method, const JsonObject& params);
/// `id_text` is the server's, as it came.
std::string result_line(std::string_view id_text, const Json& result);
std::string error_line(std::string_view id_text, int code, std::string_view message, const Json& data);

}  // namespace toolwire::client
