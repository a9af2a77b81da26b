// Judges messages of a server by the official JSON Schema of their revision, where the reference data is available. It
// only knows which definition applies to a message.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "toolwire/json.hpp"
#include "toolwire/schema.hpp"

namespace toolwire_test {

/// One conversation in one revision. Without the schema of that revision everything is accepted. One thread.
class MessageSchemas {
 public:
  explicit MessageSchemas(std::string revision);

  /// Remembers which method an id was used for, so that its result is judged by the right definition.
  void sent(const toolwire::Json& message);
  /// Why the message is not one of this revision; empty if it is.
  std::string objection(const toolwire::Json& message);

 private:
  std::string of_result(const toolwire::JsonObject& message);
  std::string against(std::string_view definition, const toolwire::Json& value);

  const std::string revision_;
  const toolwire::Json* document_;              // null: not available
  std::map<std::string, std::string> methods_;  // by the id's text
};

}  // namespace toolwire_test
