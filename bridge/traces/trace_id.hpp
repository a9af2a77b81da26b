// The ids of traces and spans (W3C Trace Context): read from a traceparent, made anew, written. Independent of spans.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace toolwire::bridge::traces {

/// What a traceparent says. A plain value.
struct TraceId {
  std::string trace = {};   ///< 32 hexadecimal digits in lower case, not all of them 0.
  std::string parent = {};  ///< 16 of them: the span that goes on with this one.
  unsigned flags = 0;

  static constexpr unsigned sampled_flag = 1;
  [[nodiscard]] bool is_sampled() const { return (flags & sampled_flag) != 0; }
  /// "00-TRACE-PARENT-FLAGS".
  [[nodiscard]] std::string traceparent() const;
};

/// Of a text that keeps the format, as those of trace_in do; nothing for an empty one.
std::optional<TraceId> trace_id_in(std::string_view traceparent);

std::string new_trace_id();
std::string new_span_id();

/// Whether a trace of this random id is among the part `ratio` of all: everybody who samples by ids, and with a ratio
/// no smaller, takes it too.
bool is_within(std::string_view trace, double ratio);

}  // namespace toolwire::bridge::traces
