// The OpenTelemetry protocol over HTTP, in JSON (OTLP 1, opentelemetry-proto): what is sent of spans, and what an
// answer says. Takes values, returns values.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/http/detail/http_client.hpp>

#include "traces/span.hpp"

namespace toolwire::bridge::traces {

/// Who sends spans. A plain value.
struct Resource {
  std::string service = {};   ///< Its name.
  std::string instance = {};  ///< Of this process.
  std::string version = {};   ///< Of this program.
};

/// An ExportTraceServiceRequest.
std::string otlp_text(const Resource& resource, const std::vector<Span>& spans);

/// What has become of a request.
struct Verdict {
  enum class Kind { taken, try_again, refused };
  Kind kind = Kind::taken;
  std::size_t rejected = 0;                       ///< Of what was taken: so many were not.
  std::optional<std::chrono::seconds> wait = {};  ///< Before it is tried again, if the collector has said so.
  std::string why = {};                           ///< If not all was taken; nothing of what the collector wrote.
};

/// `count`: of the spans that were sent.
Verdict verdict_on(const HttpOutcome& outcome, std::size_t count);

}  // namespace toolwire::bridge::traces
