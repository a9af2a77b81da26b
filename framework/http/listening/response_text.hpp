// Answers as text of HTTP/1.1 (RFC 9112): heads, and the pieces of a body. Plain values, no I/O.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "toolwire/http/exchange.hpp"

namespace toolwire::http {

/// How the body of an answer shows its end.
enum class Framing {
  none,    ///< there is none: the request was HEAD, or the status has none
  length,  ///< Content-Length
  chunks,  ///< Transfer-Encoding: chunked
  close    ///< the end of the connection, for clients before HTTP/1.1
};

/// What is said of the connection: nothing, where it is as HTTP/1.1 has it.
enum class Persistence { usual, closes, kept };

Framing framing_of(const Head& head, bool is_for_head_request, bool is_for_old_client);

/// With the line that is empty.
std::string head_text(const Head& head, Framing framing, Persistence persistence,
                      std::chrono::system_clock::time_point now);

/// A piece of a body as it is sent; its end, with nothing.
void append_piece(std::string& to, Framing framing, std::string_view bytes);
void append_end(std::string& to, Framing framing);

inline constexpr std::string_view go_on_text = "HTTP/1.1 100 Continue\r\n\r\n";

/// As in a `Date` (RFC 9110 §5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
std::string date_text(std::chrono::system_clock::time_point time);

}  // namespace toolwire::http
