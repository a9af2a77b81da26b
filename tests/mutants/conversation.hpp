// Follows a conversation: which revision is used, and which request an answer belongs to. Changes nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <toolwire/json.hpp>

#include "event.hpp"

namespace mutants {

/// Not thread-safe.
class Conversation {
 public:
  /// A line as an event; remembers it.
  Event from_host(std::string_view line);
  Event from_server(std::string_view line);

 private:
  void remember(const toolwire::Json& message);

  std::map<std::string, toolwire::Json> requests_;  // open ones, by the text of their id
  std::string revision_;
};

}  // namespace mutants
