// Streamable HTTP: which message comes on which stream, and what a stream looks like.
#include "checks/http.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace toolwire::conformance {
namespace {

using namespace http;
using namespace std::chrono_literals;

/// A POST, with the id of its request.
struct Call {
  Json id;
  HttpExchange* exchange;
};

Call start(HttpPeer& peer, std::string_view method, JsonObject params = {}) {
  const Json id = peer.next_id();
  return {id, &peer.start(peer.post(peer.message(id, method, std::move(params))))};
}

bool is_answered(const Call& call) {
  return call.exchange->is_over() || !response_in(call.exchange->reply(), call.id).is_null();
}

/// Requests of several kinds, all in flight at the same time, and their replies.
std::vector<Call> calls_of(Probe& probe, HttpPeer& peer) {
  std::vector<Call> calls{start(peer, harmless(probe)), start(peer, harmless(probe))};
  if (probe.offer().has("tools")) calls.push_back(start(peer, "tools/list"));
  for (std::string_view kind : {"tool:text", "tool:progress"}) {
    if (!probe.find(kind)) continue;
    JsonObject params = probe.need_tool(kind).params();
    params["_meta"] = JsonObject{{"progressToken", std::string(kind)}};
    calls.push_back(start(peer, "tools/call", std::move(params)));
  }
  return calls;
}

void await(HttpPeer& peer, const std::vector<Call>& calls) {
  peer.wait([&] { return std::ranges::all_of(calls, is_answered); });
}

/// Those that were answered with a stream; skips if there is none.
std::vector<Call> streams_of(Probe& probe, HttpPeer& peer) {
  std::vector<Call> calls = calls_of(probe, peer);
  await(peer, calls);
  std::erase_if(calls, [](const Call& it) { return !it.exchange->reply().is_event_stream(); });
  if (calls.empty()) probe.skip("the server answers without streams");
  return calls;
}

/// The stream of a GET; skips if the server has none.
HttpExchange& listening(Probe& probe, HttpPeer& peer) {
  HttpExchange& stream = peer.start(peer.bare("GET"));
  peer.wait([&] { return stream.reply().has_headers || stream.is_over(); });
  if (!stream.reply().is_event_stream()) probe.skip("the server offers no stream to GET");
  return stream;
}

void response_in_own_reply(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  const std::vector<Call> calls = calls_of(probe, peer);
  await(peer, calls);
  for (const Call& call : calls) {
    const HttpReply& reply = call.exchange->reply();
    probe.expect(!response_in(reply, call.id).is_null(), "the response " + to_json_text(call.id) + " in its own reply",
                 reply.text());
    for (const Message& message : messages_in(reply)) {
      if (message.kind == Message::Kind::response)
        probe.expect(message.id() == call.id, "no other response than " + to_json_text(call.id), message.text);
    }
  }
}

void no_broadcast(Probe& probe) {
  HttpPeer& peer = probe.opened_peer(all_capabilities(probe.revision()));
  HttpExchange& stream = listening(probe, peer);
  std::vector<Call> calls = calls_of(probe, peer);
  if (probe.find("tool:logging")) calls.push_back(start(peer, "tools/call", probe.need_tool("tool:logging").params()));
  await(peer, calls);
  peer.wait(100ms, [] { return false; });
  std::set<std::string> listened;
  for (const Message& message : messages_in(stream.reply())) listened.insert(message.text);
  for (const Call& call : calls) {
    for (const Message& message : messages_in(call.exchange->reply()))
      probe.expect(!listened.contains(message.text), "each message on one stream only", message.text);
  }
}

void get_no_response(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  HttpExchange& stream = listening(probe, peer);
  await(peer, calls_of(probe, peer));
  peer.wait(100ms, [] { return false; });
  for (const Message& message : messages_in(stream.reply()))
    probe.expect(message.kind != Message::Kind::response, "no response on the stream of a GET", message.text);
}

void stream_ends(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  const std::vector<Call> calls = streams_of(probe, peer);
  const bool ended =
      peer.wait([&] { return std::ranges::all_of(calls, [](const Call& it) { return it.exchange->is_over(); }); });
  probe.expect(ended, "the end of the stream after the response", "a stream that stays");
}

std::vector<std::string> ids_in(const HttpReply& reply) {
  std::vector<std::string> ids;
  for (const SseEvent& event : reply.events) {
    if (event.id && !event.id->empty()) ids.push_back(*event.id);
  }
  return ids;
}

void event_ids_unique(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  std::set<std::string> seen;
  for (const Call& call : streams_of(probe, peer)) {
    for (const std::string& id : ids_in(call.exchange->reply()))
      probe.expect(seen.insert(id).second, "ids of events that are unique in the session", id + " twice");
  }
  if (seen.empty()) probe.skip("the events have no ids");
}

void stream_primed(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  for (const Call& call : streams_of(probe, peer)) {
    const std::vector<SseEvent>& events = call.exchange->reply().events;
    const bool is_primed = !events.empty() && events.front().id && events.front().data.empty();
    probe.expect(is_primed, "a stream that begins with an id and empty data",
                 events.empty() ? "a stream without events" : events.front().data);
  }
}

void resume_own_stream(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  const std::vector<Call> calls = streams_of(probe, peer);
  if (calls.size() < 2) probe.skip("the server answers with one stream only");
  const auto ids = ids_in(calls.front().exchange->reply());
  if (ids.empty()) probe.skip("the events have no ids");
  HttpRequest request = peer.bare("GET");
  request.set("Last-Event-ID", ids.front());
  HttpExchange& stream = peer.start(request);
  peer.wait([&] { return stream.reply().has_headers || stream.is_over(); });
  if (!stream.reply().is_event_stream()) probe.skip("the server resumes no streams: " + stream.reply().text());
  peer.wait(300ms, [&] { return stream.is_over(); });
  for (const Message& message : messages_in(stream.reply())) {
    for (std::size_t i = 1; i < calls.size(); ++i) {
      const bool is_other = message.kind == Message::Kind::response && message.id() == calls[i].id;
      probe.expect(!is_other, "no message of another stream after Last-Event-ID: " + ids.front(), message.text);
    }
  }
}

void events_are_messages(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  for (const Call& call : streams_of(probe, peer)) {
    for (const Message& message : messages_in(call.exchange->reply()))
      probe.expect(message.kind != Message::Kind::foreign, "a message in each event with data",
                   message.text.substr(0, 500) + " (" + message.problem + ")");
  }
}

void stream_unbuffered(Probe& probe) {
  HttpPeer& peer = probe.opened_peer();
  std::vector<Call> calls = calls_of(probe, peer);
  await(peer, calls);
  calls.push_back(start(peer, "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}}));
  const HttpExchange& listen = *calls.back().exchange;
  peer.wait([&] { return listen.reply().has_headers || listen.is_over(); });
  std::erase_if(calls, [](const Call& it) { return !it.exchange->reply().is_event_stream(); });
  if (calls.empty()) probe.skip("the server answers without streams");
  for (const Call& call : calls) {
    const std::string* value = call.exchange->reply().header("X-Accel-Buffering");
    probe.expect(value != nullptr && *value == "no", "a stream with X-Accel-Buffering: no",
                 value != nullptr ? *value : "a stream without the header");
  }
}

void stream_no_requests(Probe& probe) {
  HttpPeer& peer = probe.opened_peer(all_capabilities(probe.revision()));
  std::vector<Call> calls;
  for (std::string_view kind : {"tool:needs-sampling", "tool:needs-elicitation", "tool:needs-roots"}) {
    if (probe.find(kind)) calls.push_back(start(peer, "tools/call", probe.need_tool(kind).params()));
  }
  if (calls.empty()) probe.skip("the server has no tool that asks the client");
  await(peer, calls);
  for (const Call& call : calls) {
    for (const Message& message : messages_in(call.exchange->reply()))
      probe.expect(message.kind != Message::Kind::request, "no request on a stream", message.text);
  }
}

void stream_related(Probe& probe) {
  const Callable tool = probe.need_tool("tool:progress");
  HttpPeer& peer = probe.opened_peer();
  std::map<std::string, Call> calls;
  for (const char* token : {"first-token", "second-token"}) {
    JsonObject params = tool.params();
    params["_meta"] = JsonObject{{"progressToken", token}};
    calls.emplace(token, start(peer, "tools/call", std::move(params)));
  }
  peer.wait([&] { return std::ranges::all_of(calls, [](const auto& it) { return is_answered(it.second); }); });
  for (const auto& [token, call] : calls) {
    for (const Message& message : messages_in(call.exchange->reply())) {
      if (message.method() == "notifications/progress")
        probe.expect(text_of(get(message.json, "params", "progressToken")) == token, "only progress of " + token,
                     message.text);
    }
  }
}

/// Progress and log messages belong to the reply of their own request.
void listen_only_changes(Probe& probe) {
  const Callable tool = probe.need_tool("tool:progress");
  HttpPeer& peer = probe.opened_peer();
  const Call listen = start(peer, "subscriptions/listen", {{"notifications", {{"toolsListChanged", true}}}});
  peer.wait([&] { return listen.exchange->reply().has_headers || listen.exchange->is_over(); });
  if (!listen.exchange->reply().is_event_stream()) probe.skip("the server has no subscriptions/listen");
  // Until it is acknowledged nobody may be subscribed yet.
  peer.wait([&] { return !messages_in(listen.exchange->reply()).empty() || listen.exchange->is_over(); });
  std::vector<Call> calls;
  for (const char* const kind : {"tool:progress", "tool:logging"}) {
    if (!probe.find(kind)) continue;
    JsonObject params = probe.need_tool(kind).params();
    params["_meta"] = JsonObject{{"progressToken", kind}, {"io.modelcontextprotocol/logLevel", "debug"}};
    calls.push_back(start(peer, "tools/call", std::move(params)));
  }
  await(peer, calls);
  peer.wait(100ms, [] { return false; });
  for (const Message& message : messages_in(listen.exchange->reply())) {
    const std::string method = message.method();
    probe.expect(method != "notifications/progress" && method != "notifications/message",
                 "changes alone on the stream of subscriptions/listen", message.text);
  }
}

}  // namespace

std::span<const Check> http_stream_checks() {
  static constexpr Check checks[] = {
      {"http-response-in-own-reply", response_in_own_reply},
      {"http-no-broadcast", no_broadcast},
      {"http-get-no-response", get_no_response},
      {"http-stream-ends", stream_ends},
      {"http-event-ids-unique", event_ids_unique},
      {"http-stream-primed", stream_primed},
      {"http-resume-own-stream", resume_own_stream},
      {"http-events-are-messages", events_are_messages},
      {"http-stream-unbuffered", stream_unbuffered},
      {"http-stream-no-requests", stream_no_requests},
      {"http-stream-related", stream_related},
      {"http-stream-related-legacy", stream_related},
      {"http-listen-only-changes", listen_only_changes},
  };
  return checks;
}

}  // namespace toolwire::conformance
