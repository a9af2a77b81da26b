// An answer that is known before anything is done for a request. Plain values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolwire/http/exchange.hpp"

namespace toolwire::http {

struct Refusal {
  int status = 400;
  std::string body = {};  // JSON; empty: none
  std::vector<Field> fields = {};
  std::string why = {};  // in words, where it was made of these
};

/// The mirrored fields do not match the body, or are missing (2026-07-28 basic/transports/streamable-http, server
/// validation).
inline constexpr int header_mismatch = -32020;

/// A JSON-RPC error, with the id of the request as JSON, or without one. `data`: as JSON, or empty.
std::string error_body(int code, std::string_view message, std::string_view id_text = {}, std::string_view data = {});

/// A status with what was expected, in the words of an invalid request.
Refusal refusal(int status, std::string_view message, std::vector<Field> fields = {});

/// With the Content-Type of its body.
Reply reply_of(const Refusal& refusal);
/// Sends it.
void send(const Refusal& refusal, Exchange& exchange);

}  // namespace toolwire::http
