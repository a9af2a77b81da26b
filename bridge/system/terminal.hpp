// The terminal a person sits at, also when the standard streams of the process are something else.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace toolwire::bridge {

/// One thread at a time.
class Terminal {
 public:
  /// That of the session of this process. Null: it has none.
  static std::unique_ptr<Terminal> of_this_session();
  virtual ~Terminal() = default;

  /// Shows `question` and waits for a line, which is returned without its end. What was typed before does not count.
  /// Nothing: `stop` was requested, or the terminal is gone.
  virtual std::optional<std::string> ask(const std::string& question, const std::stop_token& stop) = 0;
};

}  // namespace toolwire::bridge
