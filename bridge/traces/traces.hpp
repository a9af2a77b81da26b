// Makes the spans of a bridge: one for each request that it serves, one for each call that it makes, named and
// described as the semantic conventions of OpenTelemetry for MCP say. Never what is passed or comes back. Does not know
// where spans go.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/server_options.hpp>

#include "traces/open_span.hpp"

namespace toolwire::bridge::traces {

struct TracesOptions {
  double sample_ratio = 1;    ///< Of the traces that begin here; others are followed as who began them has decided.
  std::string instance = {};  ///< Of this process, for the names of sessions.
  std::vector<std::string> secrets = {};  ///< Values that are taken out of what spans say.
  OpenSpan::Record record = {};           ///< What has ended; from any thread, must not wait.
};

/// A request to another MCP server. Refers to what outlives the function it is given to.
struct SentRequest {
  std::string_view method = {};
  std::string_view subject = {};    ///< The tool or prompt, or the URI of the resource; else empty.
  std::string_view revision = {};   ///< Of the protocol.
  std::string_view server = {};     ///< Its name here.
  std::string_view transport = {};  ///< "pipe", "tcp".
  std::string_view protocol = {};   ///< "http", "nats"; empty: none of a name.
  std::string_view origin = {};     ///< "http://host:port", if there is one.
};

/// A request over HTTP that is no MCP. Refers to what outlives the function it is given to.
struct ServedHttpRequest {
  std::string_view method = {};  ///< "POST".
  std::string_view route = {};   ///< The path, without what a client chooses in it.
  std::string_view tool = {};    ///< That it has run.
  TraceContext parent = {};
};
/// What is called for it goes on with the context; without a span it is not followed.
struct FollowedRequest {
  TraceContext context = {};
  std::shared_ptr<OpenSpan> span = {};
};

/// Thread-safe.
class Traces : public Tracer {
 public:
  explicit Traces(TracesOptions options) : options_(std::move(options)) {}

  std::unique_ptr<RequestSpan> begin(const TracedRequest& request) noexcept override;

  FollowedRequest begin_served(const ServedHttpRequest& request) const;

  /// A request to another server, within what has `parent` as its context. Null: it is not followed, and the parent is
  /// passed on.
  std::shared_ptr<OpenSpan> begin_request(const TraceContext& parent, const SentRequest& request) const;
  /// A call of a tool by other means; `kind` is that of its Activity.
  std::shared_ptr<OpenSpan> begin_call(const TraceContext& parent, std::string_view tool, std::string_view kind) const;

 private:
  struct Beginning;

  Beginning beginning(const TraceContext& parent) const;
  void describe(Span& span, std::string_view method, std::string_view subject, std::string_view revision) const;
  std::string shown(std::string_view text) const;
  std::string shown_uri(std::string_view uri) const;

  const TracesOptions options_;
};

}  // namespace toolwire::bridge::traces
