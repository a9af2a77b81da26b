// What the client does with lines that are no answer to it: requests, notifications, and everything else.
#pragma once

#include <toolwire/json.hpp>

#include <functional>
#include <string>

#include "faults.hpp"
#include "server_link.hpp"

namespace judged_client {

/// Not thread-safe.
class Incoming {
 public:
  Incoming(const Settings& settings, ServerLink& link) : settings_(settings), link_(link) {}

  /// The message of a line, null if it is none that the client could use. Throws Ends where a fault says so.
  toolwire::Json read(std::string line);
  /// Takes what is no answer: answers requests, hears notifications.
  void take(const toolwire::Json& message);
  /// Called when a list is to be asked for again.
  std::function<void()> list_again = [] {};
  /// Whether the session is open: questions before that are answered too.
  bool is_open = false;
  /// Whether all requests are answered.
  bool is_done = false;

 private:
  void take_request(const toolwire::Json& message, const std::string& method);
  void take_notification(const toolwire::Json& message, const std::string& method);
  void hear_progress(const toolwire::Json& message);
  toolwire::Json id_of(const toolwire::Json& message) const;
  toolwire::JsonObject answer_to(const std::string& method, const toolwire::Json& params);
  void send(toolwire::JsonObject message);

  const Settings& settings_;
  ServerLink& link_;
  std::size_t notifications_ = 0, pings_ = 0;
  bool listed_again_ = false;
  std::string broken_;  // what the next line is taken for the rest of
};

/// A member of an object, or null.
toolwire::Json member(const toolwire::Json& json, std::string_view name);

/// What a person or a model answers to a question; with an error where the host has to refuse it.
toolwire::JsonObject answer_question(const Settings& settings, const std::string& method, const toolwire::Json& params);

}  // namespace judged_client
