#include "traces/open_span.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace toolwire::bridge::traces {

OpenSpan::OpenSpan(Span span, TraceContext context, Record record)
    : span_(std::move(span)), context_(std::move(context)), record_(std::move(record)) {
  span_.begun = std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

OpenSpan::~OpenSpan() { end({.error_type = "_OTHER"}); }

/// The clock of the system may have been set meanwhile: the duration is that of a clock which is not.
void OpenSpan::end(const End& how) noexcept {
  if (ended_.exchange(true)) return;
  try {
    span_.ended = span_.begun + std::chrono::steady_clock::duration(std::chrono::steady_clock::now() - begun_);
    span_.has_failed = !how.error_type.empty();
    if (span_.has_failed) span_.attributes.emplace_back("error.type", std::string(how.error_type));
    if (how.rpc_code != 0) span_.attributes.emplace_back("rpc.response.status_code", std::to_string(how.rpc_code));
    if (how.http_status != 0) span_.attributes.emplace_back("http.response.status_code", std::int64_t{how.http_status});
    if (!how.code.empty()) span_.attributes.emplace_back("toolwire.error.code", std::string(how.code));
  } catch (...) {  // out of memory: it is recorded as it is
  }
  record_(std::move(span_));
}

}  // namespace toolwire::bridge::traces
