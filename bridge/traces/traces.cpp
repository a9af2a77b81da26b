#include "traces/traces.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

namespace toolwire::bridge::traces {
namespace {

constexpr std::size_t longest_value = 256;  // bytes of an attribute
/// Others are not repeated: anybody may send anything.
constexpr std::array<std::string_view, 20> methods{"initialize",           "ping",
                                                   "server/discover",      "tools/call",
                                                   "tools/list",           "prompts/get",
                                                   "prompts/list",         "resources/read",
                                                   "resources/list",       "resources/templates/list",
                                                   "resources/subscribe",  "resources/unsubscribe",
                                                   "completion/complete",  "logging/setLevel",
                                                   "subscriptions/listen", "tasks/get",
                                                   "tasks/update",         "tasks/cancel",
                                                   "tasks/result",         "tasks/list"};
constexpr std::size_t longest_state = 512;  // which W3C Trace Context §3.3.1.5 asks everybody to carry

/// The span of a request that is served.
class ServedRequest final : public RequestSpan {
 public:
  ServedRequest(Span span, TraceContext context, OpenSpan::Record record)
      : span_(std::move(span), std::move(context), std::move(record)) {}

  TraceContext context() const override { return span_.context(); }
  void end(const RequestEnd& how) noexcept override {
    switch (how.how) {
      case RequestEnd::How::answered:
      case RequestEnd::How::asked:
        return span_.end({});
      case RequestEnd::How::cancelled:
        return span_.end({.error_type = "cancelled"});
      case RequestEnd::How::failed:
        break;
    }
    if (how.error == 0) return span_.end({.error_type = "tool_error", .code = how.code});
    char digits[16];
    const auto written = std::to_chars(digits, digits + sizeof digits, how.error);
    span_.end({.error_type = std::string_view(digits, static_cast<std::size_t>(written.ptr - digits)),
               .rpc_code = how.error});
  }

 private:
  OpenSpan span_;
};

/// That of a trace which begins here and is not followed: everybody else is told so.
class UnfollowedRequest final : public RequestSpan {
 public:
  explicit UnfollowedRequest(TraceContext context) : context_(std::move(context)) {}
  TraceContext context() const override { return context_; }
  void end(const RequestEnd&) noexcept override {}

 private:
  const TraceContext context_;
};

void add(Span& span, std::string_view key, std::string value) {
  if (!value.empty()) span.attributes.emplace_back(key, std::move(value));
}

/// host:port of "http://host:port".
void add_address(Span& span, std::string_view origin) {
  const std::size_t begin = origin.find("://");
  const std::size_t colon = origin.rfind(':');
  if (begin == std::string_view::npos || colon <= begin) return;
  std::int64_t port = 0;
  std::from_chars(origin.data() + colon + 1, origin.data() + origin.size(), port);
  add(span, "server.address", std::string(origin.substr(begin + 3, colon - begin - 3)));
  if (port > 0) span.attributes.emplace_back("server.port", port);
}

}  // namespace

/// A span before anything is said in it, and what it passes on.
struct Traces::Beginning {
  Span span = {};
  TraceContext context = {};
  bool is_followed = false;
};

Traces::Beginning Traces::beginning(const TraceContext& parent) const {
  Beginning made{.context = parent};
  auto id = trace_id_in(parent.traceparent);
  const bool is_new = !id.has_value();
  if (is_new) {
    id = TraceId{.trace = new_trace_id()};
    if (is_within(id->trace, options_.sample_ratio)) id->flags = TraceId::sampled_flag;
  }
  made.is_followed = id->is_sampled();
  if (!made.is_followed && !is_new) return made;
  made.span.parent = std::exchange(id->parent, new_span_id());
  made.span.id = std::move(*id);
  if (parent.tracestate.size() <= longest_state) made.span.state = parent.tracestate;
  made.context.traceparent = made.span.id.traceparent();
  return made;
}

std::string Traces::shown(std::string_view text) const {
  return std::string(text::head(text::stripped(without(std::string(text), options_.secrets)), longest_value));
}

/// Users, queries and fragments may be anything.
std::string Traces::shown_uri(std::string_view uri) const {
  std::string shown(uri.substr(0, uri.find_first_of("?#")));
  const std::size_t authority = shown.find("://");
  if (authority != std::string::npos) {
    const std::size_t begin = authority + 3;
    const std::size_t end = std::min(shown.find('/', begin), shown.size());
    const std::size_t at = shown.rfind('@', end);
    if (at != std::string::npos && at >= begin && at < end) shown.erase(begin, at + 1 - begin);
  }
  return this->shown(shown);
}

void Traces::describe(Span& span, std::string_view method, std::string_view subject, std::string_view revision) const {
  const bool is_call = method == "tools/call";
  const bool has_name = is_call || method == "prompts/get";
  const std::string target = has_name ? shown(subject) : std::string();
  span.name = std::ranges::find(methods, method) == methods.end() ? "_OTHER" : method;
  add(span, "mcp.method.name", span.name);
  if (!target.empty()) span.name += " " + target;
  if (is_call) {
    add(span, "gen_ai.operation.name", "execute_tool");
    add(span, "gen_ai.tool.name", target);
  } else {
    add(span, has_name ? "gen_ai.prompt.name" : "mcp.resource.uri", has_name ? target : shown_uri(subject));
  }
  add(span, "mcp.protocol.version", std::string(revision));
}

std::unique_ptr<RequestSpan> Traces::begin(const TracedRequest& request) noexcept {
  try {
    Beginning made = beginning(request.parent);
    if (!made.is_followed) {
      if (!request.parent.traceparent.empty()) return nullptr;
      return std::make_unique<UnfollowedRequest>(std::move(made.context));
    }
    Span& span = made.span;
    span.kind = SpanKind::server;
    span.has_remote_parent = !span.parent.empty();
    describe(span, request.method, request.subject, request.revision);
    add(span, "jsonrpc.request.id", shown(request.id));
    if (request.connection != 0)
      add(span, "mcp.session.id", options_.instance + "/" + std::to_string(request.connection));
    return std::make_unique<ServedRequest>(std::move(span), std::move(made.context), options_.record);
  } catch (...) {  // out of memory: the request is served all the same
    return nullptr;
  }
}

FollowedRequest Traces::begin_served(const ServedHttpRequest& request) const {
  Beginning made = beginning(request.parent);
  FollowedRequest followed{.context = made.context};
  if (!made.is_followed) return followed;
  Span& span = made.span;
  span.kind = SpanKind::server;
  span.has_remote_parent = !span.parent.empty();
  span.name = std::string(request.method) + " " + std::string(request.route);
  add(span, "http.request.method", std::string(request.method));
  add(span, "http.route", std::string(request.route));
  add(span, "url.path", std::string(request.route));
  add(span, "url.scheme", "http");
  add(span, "gen_ai.operation.name", "execute_tool");
  add(span, "gen_ai.tool.name", shown(request.tool));
  followed.span = std::make_shared<OpenSpan>(std::move(span), std::move(made.context), options_.record);
  return followed;
}

std::shared_ptr<OpenSpan> Traces::begin_request(const TraceContext& parent, const SentRequest& request) const {
  Beginning made = beginning(parent);
  if (!made.is_followed) return nullptr;
  Span& span = made.span;
  span.kind = SpanKind::client;
  describe(span, request.method, request.subject, request.revision);
  add(span, "toolwire.server.name", shown(request.server));
  add(span, "network.transport", std::string(request.transport));
  add(span, "network.protocol.name", std::string(request.protocol));
  add_address(span, request.origin);
  return std::make_shared<OpenSpan>(std::move(span), std::move(made.context), options_.record);
}

std::shared_ptr<OpenSpan> Traces::begin_call(const TraceContext& parent, std::string_view tool,
                                             std::string_view kind) const {
  Beginning made = beginning(parent);
  if (!made.is_followed) return nullptr;
  Span& span = made.span;
  span.kind = SpanKind::client;
  const std::string name = shown(tool);
  span.name = "execute_tool " + name;
  add(span, "gen_ai.operation.name", "execute_tool");
  add(span, "gen_ai.tool.name", name);
  add(span, "toolwire.activity.kind", std::string(kind));
  return std::make_shared<OpenSpan>(std::move(span), std::move(made.context), options_.record);
}

}  // namespace toolwire::bridge::traces
