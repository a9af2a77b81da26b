// Trace context (W3C Trace Context and Baggage) in the `_meta` of a request (2026-07-28 basic, OpenTelemetry trace
// context). Independent of spans: it is what one program passes to the next.
#pragma once

#include <string>

#include "toolwire/json.hpp"

namespace toolwire {

/// What is passed on. Plain values; an empty member is not there.
struct TraceContext {
  std::string traceparent = {};  // "00-<trace id>-<parent id>-<flags>"
  std::string tracestate = {};   // only with a traceparent
  std::string baggage = {};

  bool is_empty() const { return traceparent.empty() && baggage.empty(); }
};

/// The trace context in a `_meta`. Members that violate their format are left out, as W3C Trace Context §3.2 requires.
TraceContext trace_in(const JsonObject& meta);

/// Puts the members that are not empty and keep their format into a `_meta`.
void add_trace(JsonObject& meta, const TraceContext& trace);

}  // namespace toolwire
