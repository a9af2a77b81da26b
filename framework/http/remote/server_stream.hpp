// The stream on which a server of 2025-03-26 to 2025-11-25 says what belongs to no request: a GET that is opened again
// whenever it ends.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <toolwire/http/detail/http_client.hpp>
#include "remote/answer_reader.hpp"
#include "remote/exchange.hpp"

namespace toolwire::remote {

/// Begun by one thread; from then on it lives in callbacks of the HTTP client. A server that refuses the stream has
/// none, and is not asked again.
class ServerStream : public std::enable_shared_from_this<ServerStream> {
 public:
  ServerStream(std::shared_ptr<ExchangeOwner> owner, std::stop_token stop, std::size_t max_message);

  void begin() { open({}); }

 private:
  void open(std::chrono::milliseconds wait);
  bool take(const HttpResponse& head, std::string_view piece);
  void take_text(std::string&& text);
  void ended(const HttpOutcome& outcome);

  const std::shared_ptr<ExchangeOwner> owner_;
  const std::stop_token stop_;
  AnswerReader reader_;
  unsigned tries_ = 0;  // without anything having come
  bool has_been_open_ = false;
  bool is_resumed_ = false;  // the server can send what was missed
};

}  // namespace toolwire::remote
