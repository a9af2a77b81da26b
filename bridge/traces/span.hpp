// One span as it is exported: a plain value that says nothing of how.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "traces/trace_id.hpp"

namespace toolwire::bridge::traces {

/// The key is a constant of the program.
using Attribute = std::pair<std::string_view, std::variant<std::string, std::int64_t>>;

/// As the protocol numbers them.
enum class SpanKind { internal = 1, server = 2, client = 3 };

struct Span {
  using Time = std::chrono::sys_time<std::chrono::nanoseconds>;

  TraceId id = {};          ///< The parent in it is this span: what goes on with it has it as its parent.
  std::string parent = {};  ///< The span that this one goes on with; empty: none.
  bool has_remote_parent = false;
  std::string state = {};  ///< tracestate.
  std::string name = {};
  SpanKind kind = SpanKind::internal;
  Time begun = {};
  Time ended = {};
  std::vector<Attribute> attributes = {};
  bool has_failed = false;
};

}  // namespace toolwire::bridge::traces
