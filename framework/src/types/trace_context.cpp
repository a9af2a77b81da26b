#include "toolwire/detail/trace_context.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace toolwire {
namespace {

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// An id of hexadecimal digits that are not all zero.
bool is_id(std::string_view text) { return is_hex(text) && text.find_first_not_of('0') != std::string_view::npos; }

/// W3C Trace Context §3.2: version-traceid-parentid-flags. A later version than 00 may go on after a dash.
bool is_traceparent(std::string_view text) {
  constexpr std::size_t whole = 55;
  if (text.size() < whole || text[2] != '-' || text[35] != '-' || text[52] != '-') return false;
  std::string_view version = text.substr(0, 2);
  if (!is_hex(version) || version == "ff") return false;
  if (text.size() > whole && (version == "00" || text[whole] != '-')) return false;
  return is_id(text.substr(3, 32)) && is_id(text.substr(36, 16)) && is_hex(text.substr(53, 2));
}

std::string_view trimmed(std::string_view text) {
  std::size_t start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

/// Comma-separated `key=value` of visible ASCII: what tracestate (§3.3) and baggage have in common. Empty members are
/// allowed, and `most` that are not empty.
bool is_list(std::string_view text, std::size_t longest, std::size_t most) {
  bool visible = std::all_of(text.begin(), text.end(), [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
  if (text.empty() || text.size() > longest || !visible) return false;
  std::size_t members = 0;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t comma = std::min(text.find(',', at), text.size());
    std::string_view member = trimmed(text.substr(at, comma - at));
    at = comma + 1;
    if (member.empty()) continue;
    std::size_t equals = member.find('=');
    if (equals == 0 || equals == std::string_view::npos || ++members > most) return false;
  }
  return members > 0;
}

bool is_tracestate(std::string_view text) { return is_list(text, 8192, 32); }
bool is_baggage(std::string_view text) { return is_list(text, 8192, 180); }

std::string member_in(const JsonObject& meta, std::string_view name, bool (*fits)(std::string_view)) {
  const Json* value = meta.if_contains(name);
  if (value == nullptr || !value->is_string() || !fits(value->get_string())) return {};
  return std::string(std::string_view(value->get_string()));
}

}  // namespace

TraceContext trace_in(const JsonObject& meta) {
  TraceContext trace;
  trace.traceparent = member_in(meta, "traceparent", is_traceparent);
  if (!trace.traceparent.empty()) trace.tracestate = member_in(meta, "tracestate", is_tracestate);
  trace.baggage = member_in(meta, "baggage", is_baggage);
  return trace;
}

void add_trace(JsonObject& meta, const TraceContext& trace) {
  const bool traced = is_traceparent(trace.traceparent);
  if (traced) meta["traceparent"] = trace.traceparent;
  if (traced && is_tracestate(trace.tracestate)) meta["tracestate"] = trace.tracestate;
  if (is_baggage(trace.baggage)) meta["baggage"] = trace.baggage;
}

}  // namespace toolwire
