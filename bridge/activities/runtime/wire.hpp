// The bridge's end of the wire between it and a runtime (bridge/runtimes/README.md): lines written and read.
// Independent of processes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge::runtimes {

inline constexpr std::string_view wire_version = "1.0.0";
inline constexpr std::size_t max_line = std::size_t{80} << 20;  ///< Bytes, without the line feed.

/// A call of a tool, as the wire has it. A plain value.
struct ToolCall {
  std::string tool = {};
  Json parameters = JsonObject{};
  std::string session = {};
  JsonObject meta = {};
  bool wants_progress = false;
};

std::string request_line(std::uint64_t id, std::string_view method, std::string_view params = "{}");
/// `timeout` is what is left of the call's time.
std::string execute_line(std::uint64_t id, const ToolCall& call, std::optional<std::chrono::milliseconds> timeout);
/// The session and `meta` of the first call stand for all.
std::string batch_line(std::uint64_t id, const std::vector<ToolCall>& calls,
                       std::optional<std::chrono::milliseconds> timeout);
std::string cancel_line(std::uint64_t id, std::string_view reason);

/// Thrown for a line that breaks the protocol: the process can no longer be used.
struct BrokenWire : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A line of a runtime. `body` is the result, the error object, or the params of a notification.
struct RuntimeMessage {
  enum class Kind { result, error, progress, refusal, other };
  Kind kind = Kind::other;
  std::uint64_t id = 0;  ///< Of a result, an error, or the call that makes progress.
  Json body = {};
};

/// `refusal` is an error without an id: the runtime did not understand a line. Throws BrokenWire.
RuntimeMessage read_runtime_message(std::string_view line);

/// Why a call has no result. A plain value.
struct RuntimeTrouble {
  /// A code of the bridge: "unavailable", "timeout", "cancelled", "busy", "denied", "back_end_error",
  /// "invalid_arguments".
  std::string code = {};
  std::string text = {};
  bool retryable = false;
  std::optional<std::int64_t> retry_after_ms = {};
  bool is_unknown = false;  ///< The call may have been made: see unknown_outcome.
};

/// What an error object of the wire means.
RuntimeTrouble trouble_from(const Json& error);

}  // namespace toolwire::bridge::runtimes
