#include "toolwire/http/handler.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <toolwire/json_members.hpp>
#include <utility>
#include <variant>

#include "admission.hpp"
#include "client_message.hpp"
#include "front.hpp"
#include "mirrored_fields.hpp"
#include "post.hpp"
#include "refusal.hpp"
#include "scopes.hpp"
#include "session_id.hpp"

namespace toolwire::http {
namespace {

using protocol::Revision;

const Json* meta_of(const jsonrpc::Request& request) {
  return request.params_usable ? find_member(request.params.get_object(), "_meta") : nullptr;
}

/// The version that the body of a request names; null: none.
const Json* version_in(const jsonrpc::Request& request) {
  const Json* const meta = meta_of(request);
  return meta == nullptr ? nullptr : find_member(*meta, protocol::meta_key::protocol_version);
}

/// Whether the header names one of the revisions with a handshake, or nothing, as the first of them did.
bool is_handshake_version(std::optional<std::string_view> version) {
  if (!version) return true;
  const Revision* const revision = protocol::find_revision(*version);
  return revision != nullptr && !revision->modern;
}

Refusal refusal_of(const ProtocolError& error, std::string_view id_text) {
  return {400, error_body(error.code, error.what(), id_text,
                          error.data.is_null() ? std::string() : to_json_text(error.data))};
}

Refusal mismatch(std::string_view what, std::string_view id_text) {
  return {400, error_body(header_mismatch, "Header mismatch: " + std::string(what), id_text)};
}

/// What a proxy has put there; messages have one of their own.
TraceContext trace_of(const HeaderFields& fields) {
  JsonObject found;
  for (const char* const name : {"traceparent", "tracestate", "baggage"}) {
    if (const auto value = fields.find(name)) found[name] = *value;
  }
  return trace_in(found);
}

const Refusal accepted{.status = 202};

}  // namespace

struct Handler::State {
  const HandlerOptions options;
  const std::shared_ptr<Front> front;
  const std::shared_ptr<const ProtectedResource> resource =
      options.resource ? std::make_shared<const ProtectedResource>(*options.resource) : nullptr;

  /// One request on its way to its post.
  struct Incoming {
    const HeaderFields fields;
    const std::string_view body;
    std::shared_ptr<Exchange> exchange;
    Post::Settings settings;
    std::optional<std::string_view> version = fields.find("mcp-protocol-version");
  };

  /// What to say at once; nothing where a post answers.
  std::optional<Refusal> take(Incoming& incoming, jsonrpc::Request&& request) const;
  std::optional<Refusal> take(Incoming& incoming, jsonrpc::Notification&& notification) const;
  std::optional<Refusal> take(Incoming& incoming, jsonrpc::Response&& response) const;
  std::optional<Refusal> take(Incoming& incoming, jsonrpc::Malformed&& malformed) const;
  std::optional<Refusal> take(Incoming& incoming, jsonrpc::Ignored&& ignored) const;
  std::optional<Refusal> take(Incoming& incoming, jsonrpc::Batch&& batch) const;

  std::optional<Refusal> refused_modern(const Incoming& incoming, const jsonrpc::Request& request) const;
  std::optional<Refusal> find_session(Incoming& incoming) const;
  std::optional<Refusal> refused_for_scopes(const Incoming& incoming, std::span<const jsonrpc::Request> requests) const;
  std::shared_ptr<Post> post_of(Incoming& incoming) const {
    if (front->service().options.tracer) incoming.settings.trace = trace_of(incoming.fields);
    return std::make_shared<Post>(front, std::move(incoming.exchange), std::move(incoming.settings));
  }
  bool was_handed_on(const Incoming& incoming) const {
    return hand_on(*front, incoming.settings.session_id, incoming.settings.principal.id, incoming.body);
  }
};

Handler::Handler(Server& server, HandlerOptions options) {
  check(options);
  auto front = std::make_shared<Front>(server.state_, Front::Times{options.keep_alive, options.stream_after});
  front->begin();
  state_ = std::make_shared<State>(State{std::move(options), std::move(front)});
}

/// Begun by the one who calls, who has checked the options.
Handler::Handler(std::shared_ptr<Front> front, HandlerOptions options)
    : state_(std::make_shared<State>(State{std::move(options), std::move(front)})) {}

Handler::~Handler() { state_->front->end(); }

// NOLINTNEXTLINE(performance-unnecessary-value-param): a refusal needs it when a post has taken the copy
void Handler::handle(Request request, std::shared_ptr<Exchange> exchange) {
  const State& state = *state_;
  if (const auto refused = refused_at_the_door(request, state.options)) return send(*refused, *exchange);
  if (!is_principal_id(request.principal.id))
    return send(refusal(403, "the name of who calls is too long, or no line of text"), *exchange);
  if (!request.principal.id.empty()) state.front->service().tell_callers_apart();
  if (state.resource) grant_implied(request.principal, *state.resource);
  const Limits& limits = state.front->service().options.limits;
  auto parsed = jsonrpc::parse(request.body, {{limits.depth, limits.values}, limits.batch});
  Post::Settings settings;
  settings.principal = std::move(request.principal);
  if (request.peer) settings.peer = std::make_shared<const Peer>(*request.peer);
  settings.session_age = state.options.session_age;
  settings.resource = state.resource;
  State::Incoming incoming{HeaderFields(request.fields), request.body, exchange, std::move(settings)};
  const auto take = [&](auto& kind) { return state.take(incoming, std::move(kind)); };
  auto* const message = std::get_if<jsonrpc::Message>(&parsed);
  const auto said = message != nullptr ? std::visit(take, *message) : take(std::get<jsonrpc::Batch>(parsed));
  if (said) send(*said, *exchange);
}

// 2026-07-28, and what both eras share

std::optional<Refusal> Handler::State::take(Incoming& incoming, jsonrpc::Request&& request) const {
  if (const auto repeated = incoming.fields.repeated_mcp_field(); !repeated.empty())
    return mismatch(repeated + " occurs more than once", request.id.text);
  incoming.settings.is_modern = version_in(request) != nullptr || !is_handshake_version(incoming.version);
  if (incoming.settings.is_modern) {
    if (auto refused = refused_modern(incoming, request)) return refused;
  } else if (request.method != "initialize") {
    if (auto refused = find_session(incoming)) return refused;
  }
  if (auto refused = refused_for_scopes(incoming, {&request, 1})) return refused;
  post_of(incoming)->begin(std::move(request));
  return std::nullopt;
}

std::optional<Refusal> Handler::State::refused_for_scopes(const Incoming& incoming,
                                                          std::span<const jsonrpc::Request> requests) const {
  const Post::Settings& settings = incoming.settings;
  const Sender sender{.principal = settings.principal,
                      .peer = settings.peer.get(),
                      .client_info = settings.session.client ? &settings.session.client->info : nullptr};
  return http::refused_for_scopes(requests, front->service(), sender, resource.get());
}

/// In the order in which a client has to put things right.
std::optional<Refusal> Handler::State::refused_modern(const Incoming& incoming, const jsonrpc::Request& request) const {
  const std::string_view id = request.id.text;
  if (!incoming.version) return mismatch("MCP-Protocol-Version is missing", id);
  try {
    const Json* const version = version_in(request);
    if (version == nullptr && protocol::find_revision(*incoming.version) == nullptr) {
      throw ProtocolError(
          error_code::unsupported_protocol_version, "Unsupported protocol version; use one of data.supported",
          JsonObject{{"supported", protocol::modern_names()}, {"requested", std::string(*incoming.version)}});
    }
    if (version != nullptr && version->is_string() && *incoming.version != std::string_view(version->get_string()))
      return mismatch("MCP-Protocol-Version is not the protocolVersion of the body", id);
    if (version == nullptr)
      throw ProtocolError(error_code::invalid_params,
                          "Invalid params: _meta lacks \"io.modelcontextprotocol/protocolVersion\"");
    protocol::revision_of(request.method, meta_of(request), nullptr);
  } catch (const ProtocolError& error) {
    return refusal_of(error, id);
  }
  const std::string wrong = mismatch_in(incoming.fields, request, front->service(),
                                        {incoming.settings.principal, incoming.settings.peer.get()});
  return wrong.empty() ? std::nullopt : std::optional(mismatch(wrong, id));
}

std::optional<Refusal> Handler::State::take(Incoming& incoming, jsonrpc::Notification&& notification) const {
  if (const auto repeated = incoming.fields.repeated_mcp_field(); !repeated.empty())
    return refusal(400, repeated + " occurs more than once");
  if (!is_handshake_version(incoming.version)) {
    const Revision* const revision = protocol::find_revision(*incoming.version);
    return revision == nullptr ? refusal(400, "MCP-Protocol-Version names no revision that is served") : accepted;
  }
  if (auto refused = find_session(incoming)) return refused;
  if (!cancel(*front, incoming.settings.session_id, notification)) was_handed_on(incoming);
  return accepted;
}

std::optional<Refusal> Handler::State::take(Incoming&, jsonrpc::Malformed&& malformed) const {
  return Refusal{malformed.code == error_code::internal_error ? 500 : 400,
                 error_body(malformed.code, malformed.reason, malformed.id_text)};
}

std::optional<Refusal> Handler::State::take(Incoming&, jsonrpc::Ignored&&) const {
  return refusal(400, "this is no answer to a question of the server");
}

// The revisions with a handshake

/// Nothing if there is one; the version that came along has to be its own.
std::optional<Refusal> Handler::State::find_session(Incoming& incoming) const {
  if (const auto repeated = incoming.fields.repeated_mcp_field(); !repeated.empty())
    return refusal(400, repeated + " occurs more than once");
  const auto id = incoming.fields.find("mcp-session-id");
  if (!id) return refusal(400, "begin with initialize, and send the Mcp-Session-Id that its answer has");
  auto session = unsealed(*id, incoming.settings.principal.id, std::chrono::system_clock::now());
  if (!session) return refusal(404, "there is no such session, or not any more: begin with initialize");
  if (incoming.version && *incoming.version != session->revision->name)
    return refusal(400, "MCP-Protocol-Version is not the one of the session, " + std::string(session->revision->name));
  incoming.settings.is_modern = false;
  incoming.settings.session_id = *id;
  incoming.settings.session = std::move(*session);
  return std::nullopt;
}

std::optional<Refusal> Handler::State::take(Incoming& incoming, jsonrpc::Response&& response) const {
  if (!is_handshake_version(incoming.version))
    return refusal(400, "a body must be a request or a notification; the server asks no questions of its own");
  if (auto refused = find_session(incoming)) return refused;
  if (answer(*front, incoming.settings.principal.id, std::move(response)) || was_handed_on(incoming)) return accepted;
  return refusal(400, "this is no answer to an open question of the server");
}

std::optional<Refusal> Handler::State::take(Incoming& incoming, jsonrpc::Batch&& batch) const {
  const auto refuse = [] { return refusal(400, "a body must be one message: batches exist in 2025-03-26 only"); };
  if (!is_handshake_version(incoming.version)) return refuse();
  if (auto refused = find_session(incoming)) return refused;
  if (!incoming.settings.session.revision->batches) return refuse();
  std::vector<jsonrpc::Request> requests;
  for (jsonrpc::Message& message : batch) {
    if (auto* const malformed = std::get_if<jsonrpc::Malformed>(&message)) return take(incoming, std::move(*malformed));
    if (auto* const request = std::get_if<jsonrpc::Request>(&message)) requests.push_back(std::move(*request));
  }
  if (auto refused = refused_for_scopes(incoming, requests)) return refused;  // as a whole: it has one status
  bool is_for_here = true;
  for (jsonrpc::Message& message : batch) {
    if (auto* const notification = std::get_if<jsonrpc::Notification>(&message)) {
      is_for_here = cancel(*front, incoming.settings.session_id, *notification) && is_for_here;
    } else if (auto* const response = std::get_if<jsonrpc::Response>(&message)) {
      is_for_here = answer(*front, incoming.settings.principal.id, std::move(*response)) && is_for_here;
    }
  }
  if (!is_for_here) was_handed_on(incoming);
  if (requests.empty()) return accepted;
  post_of(incoming)->begin(std::move(requests));
  return std::nullopt;
}

}  // namespace toolwire::http
