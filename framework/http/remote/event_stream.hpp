// Server-sent events (WHATWG HTML, "Server-sent events"), read from bytes as they come. Knows nothing of messages.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace toolwire::remote {

/// Reads one stream, or the streams that resume it one after the other. A plain value.
class EventStream {
 public:
  /// `max_event`: bytes of one event, and of one line.
  explicit EventStream(std::size_t max_event) : max_event_(max_event) {}

  /// Hands over the data of each event that is complete now; events of other types than `message`, and those without
  /// data, are passed over. False if an event is too large: nothing more can be read then.
  bool take(std::string_view bytes, const std::function<void(std::string&& data)>& event);

  /// The stream has ended: what is incomplete is dropped. What is known of ids and times stays.
  void end();

  /// The id that the stream is resumed after; empty: it cannot be.
  [[nodiscard]] const std::string& last_id() const { return last_id_; }
  /// How long the server wants a client to wait before it resumes, if it has said so.
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  void take_line(std::string_view line, const std::function<void(std::string&&)>& event);
  void take_field(std::string_view name, std::string_view value);

  const std::size_t max_event_;
  std::string line_;  // what has come of it
  std::string data_;  // of the event that is being read, each line with its end
  std::string type_;
  std::string id_;
  std::string last_id_;
  std::optional<std::chrono::milliseconds> retry_;
  bool after_return_ = false;  // the line feed that follows belongs to it
  bool at_beginning_ = true;
};

}  // namespace toolwire::remote
