// Where the log messages of one request go. Between the framework and the context; tools ask their Context.
#pragma once

#include <string_view>

#include "toolwire/detail/log_level.hpp"
#include "toolwire/json.hpp"

namespace toolwire::detail {

/// Takes the log messages of one request. Thread-safe.
class ClientLog {
 public:
  virtual bool wants(LogLevel level) const noexcept = 0;
  virtual void log(LogLevel level, const Json& data, std::string_view logger) = 0;

 protected:
  ~ClientLog() = default;
};

}  // namespace toolwire::detail
