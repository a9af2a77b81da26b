// The severity of log messages. Independent of the wire.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace toolwire {

/// The severities of RFC 5424, from the least to the most severe (specification: server/utilities/logging).
enum class LogLevel : unsigned char { debug, info, notice, warning, error, critical, alert, emergency };

inline constexpr std::array<std::string_view, 8> log_level_names{"debug", "info",     "notice", "warning",
                                                                 "error", "critical", "alert",  "emergency"};

constexpr std::string_view name_of(LogLevel level) { return log_level_names[static_cast<std::size_t>(level)]; }

/// Nothing if no level has this name.
constexpr std::optional<LogLevel> log_level_named(std::string_view name) {
  for (std::size_t i = 0; i < log_level_names.size(); ++i) {
    if (log_level_names[i] == name) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

}  // namespace toolwire
