// Messages of a client as text: one line each, with its end.
#pragma once

#include <toolwire/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace toolwire::client {

std::string request_line(std::int64_t id, std::string_view method, const JsonObject& params);
/// `params` is left out if empty.
std::string notification_line(std::string_view method, const JsonObject& params);
/// `id_text` is the server's, as it came.
std::string result_line(std::string_view id_text, const Json& result);
std::string error_line(std::string_view id_text, int code, std::string_view message, const Json& data);

}  // namespace toolwire::client
