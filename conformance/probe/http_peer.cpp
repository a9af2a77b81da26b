#include "probe/http_peer.hpp"

#include "driver/interruption.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

}  // namespace

std::vector<Message> messages_in(const HttpReply& reply) {
  std::vector<Message> all;
  if (!reply.is_event_stream()) {
    if (!reply.body.empty()) all.push_back(read_message(reply.body, true));
    return all;
  }
  for (const SseEvent& event : reply.events) {
    if (event.type.empty() && !event.data.empty()) all.push_back(read_message(event.data, true));
  }
  return all;
}

Json response_in(const HttpReply& reply, const Json& id) {
  for (const Message& message : messages_in(reply)) {
    if (message.kind == Message::Kind::response && message.id() == id) return message.json;
  }
  return nullptr;
}

std::int64_t error_code_in(const HttpReply& reply) {
  const auto messages = messages_in(reply);
  return messages.size() == 1 ? messages.front().error_code() : 0;
}

HttpPeer::HttpPeer(std::shared_ptr<HttpServer> server, const Revision& revision, JsonObject capabilities,
                   std::chrono::milliseconds timeout)
    : server_(std::move(server)), revision_(revision), capabilities_(std::move(capabilities)), timeout_(timeout) {}

HttpPeer::~HttpPeer() {
  exchanges_.clear();
  if (session_.empty()) return;
  try {
    HttpExchange& end = start(bare("DELETE"));
    wait(300ms, [&] { return end.is_over(); });
  } catch (const RunEnded&) {  // then the session ends when the server forgets it
  }
}

const HttpReply& HttpPeer::open() {
  if (revision_.modern) return opened_;
  opened_ =
      send(post("initialize", {{"protocolVersion", revision_.name},
                               {"capabilities", capabilities_},
                               {"clientInfo", {{"name", "toolwire-conformance"}, {"version", TOOLWIRE_VERSION}}}}));
  if (const std::string* id = opened_.header(session_header)) session_ = *id;
  initialized_ = send(post(Json{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}));
  return opened_;
}

Json HttpPeer::message(const Json& id, std::string_view method, JsonObject params) const {
  if (revision_.modern) {
    Json& meta = params["_meta"];
    if (!meta.is_object()) meta = JsonObject{};
    JsonObject& members = meta.as_object();
    members.emplace(version_in_meta, revision_.name);
    members.emplace("io.modelcontextprotocol/clientInfo",
                    JsonObject{{"name", "toolwire-conformance"}, {"version", TOOLWIRE_VERSION}});
    members.emplace("io.modelcontextprotocol/clientCapabilities", capabilities_);
  }
  JsonObject message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return message;
}

HttpRequest HttpPeer::post(const Json& message) const {
  return server_->post(revision_, to_json_text(message), session_);
}

HttpRequest HttpPeer::bare(std::string method) const { return server_->bare(revision_, std::move(method), session_); }

HttpReply HttpPeer::send(const HttpRequest& request) {
  HttpExchange& exchange = start(request);
  wait([&] { return exchange.is_over(); });
  exchange.close();
  return exchange.reply();
}

HttpExchange& HttpPeer::start(const HttpRequest& request) {
  exchanges_.push_back(server_->start(request, recording_));
  return *exchanges_.back();
}

bool HttpPeer::wait(std::chrono::milliseconds time, const std::function<bool()>& done) {
  std::vector<HttpExchange*> open;
  for (const auto& exchange : exchanges_) {
    if (!exchange->is_over()) open.push_back(exchange.get());
  }
  const bool met = move_exchanges(open, time, done);
  unmet_waits_ += met ? 0 : 1;
  return met;
}

}  // namespace toolwire::conformance
