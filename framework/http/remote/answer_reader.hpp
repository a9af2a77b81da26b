// The body of an answer as it comes in pieces: events, one JSON text, or a reason. Knows nothing of requests.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include <toolwire/http/detail/http_client.hpp>
#include "remote/event_stream.hpp"
#include "remote/judgement.hpp"

namespace toolwire::remote {

/// Reads one answer after the other, where later ones go on with the events of the first. A plain value.
class AnswerReader {
 public:
  /// `max_message` in bytes.
  explicit AnswerReader(std::size_t max_message) : max_message_(max_message), events_(max_message) {}

  /// Forgets the body of the answer before.
  void begin();
  /// Hands over the text of each event that is whole. False if no more can be taken: it is too large, or long enough
  /// for a reason.
  bool take(const HttpResponse& head, std::string_view piece, const std::function<void(std::string&&)>& event);

  /// What came that is not events.
  std::string take_body() { return std::move(body_); }
  [[nodiscard]] bool is_too_large() const { return is_too_large_; }
  [[nodiscard]] const EventStream& events() const { return events_; }

 private:
  const std::size_t max_message_;
  EventStream events_;
  std::string body_;
  bool is_too_large_ = false;
};

}  // namespace toolwire::remote
