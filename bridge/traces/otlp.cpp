#include "traces/otlp.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>

#include <toolwire/json.hpp>
#include <toolwire/json_members.hpp>

#include <toolwire/http/detail/retry_after.hpp>

namespace toolwire::bridge::traces {
namespace {

// SpanFlags of opentelemetry-proto: it is known whether the parent is elsewhere, and it is.
constexpr unsigned knows_parent = 0x100;
constexpr unsigned parent_is_remote = 0x200;
constexpr int status_error = 2;

/// 64-bit numbers are texts in the JSON of protobuf.
JsonObject attribute(std::string_view key, const std::variant<std::string, std::int64_t>& value) {
  JsonObject holder;
  if (const auto* text = std::get_if<std::string>(&value)) {
    holder["stringValue"] = *text;
  } else {
    holder["intValue"] = std::to_string(std::get<std::int64_t>(value));
  }
  return {{"key", key}, {"value", std::move(holder)}};
}

JsonArray resource_attributes(const Resource& resource) {
  return {attribute("service.name", resource.service),    attribute("service.instance.id", resource.instance),
          attribute("service.version", resource.version), attribute("telemetry.sdk.name", "toolwire"),
          attribute("telemetry.sdk.language", "cpp"),     attribute("telemetry.sdk.version", resource.version)};
}

std::string nanoseconds(Span::Time time) { return std::to_string(time.time_since_epoch().count()); }

JsonObject json_of(const Span& span) {
  JsonObject json{{"traceId", span.id.trace}, {"spanId", span.id.parent}};
  if (!span.state.empty()) json["traceState"] = span.state;
  if (!span.parent.empty()) json["parentSpanId"] = span.parent;
  json["flags"] = span.id.flags | knows_parent | (span.has_remote_parent ? parent_is_remote : 0);
  json["name"] = span.name;
  json["kind"] = static_cast<int>(span.kind);
  json["startTimeUnixNano"] = nanoseconds(span.begun);
  json["endTimeUnixNano"] = nanoseconds(span.ended);
  JsonArray attributes;
  for (const auto& [key, value] : span.attributes) attributes.push_back(attribute(key, value));
  json["attributes"] = std::move(attributes);
  json["status"] = span.has_failed ? JsonObject{{"code", status_error}} : JsonObject{};
  return json;
}

/// ExportTracePartialSuccess. What is no such thing says nothing.
std::size_t rejected_in(std::string_view body, std::size_t count) {
  try {
    const Json answer = parse_json(body, {.max_values = 64});
    const Json& said = member_or_null(answer, "partialSuccess", "rejectedSpans");
    std::uint64_t number = 0;
    if (said.is_string()) {
      const std::string_view text = said.get_string();
      std::from_chars(text.data(), text.data() + text.size(), number);
    } else if (said.is_int64() && said.get_int64() > 0) {
      number = static_cast<std::uint64_t>(said.get_int64());
    }
    return static_cast<std::size_t>(std::min<std::uint64_t>(number, count));
  } catch (const JsonError&) {
    return 0;
  }
}

Verdict verdict_on_failure(const HttpFailure& failure) {
  constexpr std::array<std::string_view, 3> passing{"unavailable", "timeout", "busy"};
  const bool passes = std::ranges::find(passing, failure.code) != passing.end();
  return {.kind = passes ? Verdict::Kind::try_again : Verdict::Kind::refused, .why = failure.text};
}

}  // namespace

std::string otlp_text(const Resource& resource, const std::vector<Span>& spans) {
  JsonArray list;
  list.reserve(spans.size());
  for (const Span& span : spans) list.push_back(json_of(span));
  JsonObject scope{{"scope", JsonObject{{"name", "toolwire"}, {"version", resource.version}}},
                   {"spans", std::move(list)}};
  JsonObject all{{"resource", JsonObject{{"attributes", resource_attributes(resource)}}},
                 {"scopeSpans", JsonArray{std::move(scope)}}};
  return to_json_text(JsonObject{{"resourceSpans", JsonArray{std::move(all)}}});
}

Verdict verdict_on(const HttpOutcome& outcome, std::size_t count) {
  if (const auto* const failure = std::get_if<HttpFailure>(&outcome)) return verdict_on_failure(*failure);
  const auto& response = std::get<HttpResponse>(outcome);
  if (response.success()) {
    const std::size_t rejected = rejected_in(response.body, count);
    return {.rejected = rejected, .why = rejected > 0 ? "the collector has rejected them" : ""};
  }
  constexpr std::array<int, 4> passing{429, 502, 503, 504};  // OTLP, "retryable response codes"
  const bool passes = std::ranges::find(passing, response.status) != passing.end();
  return {.kind = passes ? Verdict::Kind::try_again : Verdict::Kind::refused,
          .wait = passes ? retry_after(response) : std::nullopt,
          .why = "the collector answers with status " + std::to_string(response.status)};
}

}  // namespace toolwire::bridge::traces
