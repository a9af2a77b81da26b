#include "driver/session.hpp"

#include <algorithm>
#include <utility>

#include "driver/http_connection.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view client_key = "io.modelcontextprotocol/clientInfo";
constexpr std::string_view capabilities_key = "io.modelcontextprotocol/clientCapabilities";
constexpr int max_rounds = 10;
constexpr std::size_t max_messages = 1'000'000;
constexpr std::size_t max_foreign_lines = 10'000;
constexpr std::size_t max_output = std::size_t{1} << 30;

Json inputs_for(const Json& requests, const Session::Responder& responder) {
  JsonObject responses;
  if (const JsonObject* object = requests.if_object()) {
    for (const auto& [key, request] : *object) {
      auto answer =
          responder ? responder(std::string(text_of(get(request, "method"))), get(request, "params")) : std::nullopt;
      if (answer) responses[key] = std::move(*answer);
    }
  }
  return responses;
}

std::string answer_text(const Json& id, const Json& result) {
  return to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

}  // namespace

NoProcess::NoProcess() : std::runtime_error("it is about the process of the server and its streams") {}

std::string Answer::text() const {
  switch (kind) {
    case Kind::result:
      return "a result";
    case Kind::error:
      return "error " + std::to_string(code()) + " (" + std::string(text_of(get(result, "message"))) + ")";
    case Kind::silence:
      return "no answer in time";
    case Kind::refused:
      return "no response, but " + refusal;
    case Kind::ended:
      break;
  }
  return "the end of its output";
}

JsonObject all_capabilities(const Revision& revision) {
  JsonObject all{{"roots", revision.modern ? JsonObject{} : JsonObject{{"listChanged", true}}},
                 {"sampling", JsonObject{}}};
  if (revision.name >= "2025-06-18") all["elicitation"] = JsonObject{};
  if (revision.name >= "2025-11-25") {
    all["elicitation"] = JsonObject{{"form", JsonObject{}}, {"url", JsonObject{}}};
    all["sampling"] = JsonObject{{"tools", JsonObject{}}, {"context", JsonObject{}}};
  }
  return all;
}

Session::Session(const Launch& launch, const Revision& revision, SessionOptions options)
    : revision_(revision), options_(std::move(options)), responder_(default_response) {
  const auto on_line = [this](std::string_view line, bool whole) { took(line, whole); };
  if (launch.http) {
    connection_ = std::make_unique<HttpConnection>(launch.http, revision_, on_line);
    return;
  }
  auto process = std::make_unique<ServerProcess>(launch, on_line);
  process_ = process.get();
  connection_ = std::move(process);
}

ServerProcess& Session::process() {
  if (process_ == nullptr) throw NoProcess();
  return *process_;
}

const ServerProcess& Session::process() const {
  if (process_ == nullptr) throw NoProcess();
  return *process_;
}

Answer Session::open() {
  Answer answer = await(start_opening());
  finish_opening(answer);
  return answer;
}

Json Session::start_opening() {
  if (revision_.modern) return send_request("server/discover");
  return send_request("initialize", {{"protocolVersion", revision_.name},
                                     {"capabilities", options_.capabilities},
                                     {"clientInfo", {{"name", options_.client_name}, {"version", TOOLWIRE_VERSION}}}});
}

void Session::finish_opening(const Answer& answer) {
  if (!revision_.modern && answer.ok()) notify("notifications/initialized");
}

Answer Session::request(std::string_view method, JsonObject params) {
  return request(method, std::move(params), options_.timeout);
}

Answer Session::request(std::string_view method, JsonObject params, std::chrono::milliseconds timeout) {
  return await(send_request(method, std::move(params)), timeout);
}

Answer Session::request_with_inputs(std::string_view method, const JsonObject& params) {
  Answer answer = request(method, params);
  for (int round = 0; round < max_rounds && text_of(get(answer.result, "resultType")) == "input_required"; ++round) {
    JsonObject next = params;
    next["inputResponses"] = inputs_for(get(answer.result, "inputRequests"), responder_);
    if (const Json& state = get(answer.result, "requestState"); !state.is_null()) next["requestState"] = state;
    answer = request(method, std::move(next));
  }
  return answer;
}

Json Session::send_request(std::string_view method, JsonObject params) {
  return send_request_with_id(next_id_++, method, std::move(params));
}

std::vector<Json> Session::send_requests(std::size_t count, std::string_view method, const JsonObject& params) {
  std::vector<Json> ids(count);
  std::ranges::generate(ids, [&] { return send_request(method, params); });
  return ids;
}

Json Session::send_request_with_id(Json id, std::string_view method, JsonObject params) {
  const std::string key = to_json_text(id);
  sent_ids_.insert(key);
  const auto [known, is_new] = methods_.emplace(key, method);
  if (!is_new && known->second != method) known->second.clear();
  write_line(request_text(id, method, std::move(params)));
  return id;
}

std::string_view Session::method_answered_by(const Message& response) const {
  const auto id = response.id();
  const auto found = id ? methods_.find(to_json_text(*id)) : methods_.end();
  return found != methods_.end() ? std::string_view(found->second) : std::string_view();
}

Answer Session::await(const Json& id) { return await(id, options_.timeout); }

Answer Session::await(const Json& id, std::chrono::milliseconds timeout) {
  const std::string key = to_json_text(id);
  connection_->pump(timeout, [&] {
    return response_to(id) != nullptr || connection_->output_ended() || connection_->refusal_of(key);
  });
  const Message* response = response_to(id);
  if (response == nullptr) {
    if (auto refusal = connection_->refusal_of(key))
      return {.kind = Answer::Kind::refused, .refusal = std::move(*refusal)};
    return {.kind = connection_->output_ended() ? Answer::Kind::ended : Answer::Kind::silence};
  }
  const bool is_error = response->is_error();
  return {.kind = is_error ? Answer::Kind::error : Answer::Kind::result,
          .result = response->member(is_error ? "error" : "result"),
          .message = *response};
}

void Session::notify(std::string_view method, JsonObject params) {
  JsonObject message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  write_line(to_json_text(message));
}

JsonObject Session::with_metadata(JsonObject params) const {
  if (!revision_.modern) return params;
  Json& meta = params["_meta"];
  if (meta.is_null()) meta = JsonObject{};
  if (JsonObject* members = meta.if_object()) {
    members->emplace(version_key, revision_.name);
    members->emplace(client_key, JsonObject{{"name", options_.client_name}, {"version", TOOLWIRE_VERSION}});
    members->emplace(capabilities_key, options_.capabilities);
  }
  return params;
}

std::string Session::request_text(const Json& id, std::string_view method, JsonObject params) const {
  params = with_metadata(std::move(params));
  JsonObject message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.empty()) message["params"] = std::move(params);
  return to_json_text(message);
}

void Session::send_line(std::string_view text) { send_bytes(std::string(text) + "\n"); }

void Session::send_bytes(std::string_view bytes) {
  sent_raw_ = true;
  connection_->write(bytes);
  if (!bytes.empty()) within_line_ = !bytes.ends_with('\n');
  send_held();
}

void Session::write_line(std::string_view text) {
  connection_->write(std::string(text) + "\n");
  within_line_ = false;
  send_held();
}

void Session::send_held() {
  if (!within_line_ && !held_.empty()) connection_->write(std::exchange(held_, {}));
}

const Message* Session::wait_for(std::size_t from, const std::function<bool(const Message&)>& fits,
                                 std::chrono::milliseconds timeout) {
  std::size_t looked_at = from;
  const Message* found = nullptr;
  connection_->pump(timeout, [&] {
    for (; found == nullptr && looked_at < messages_.size(); ++looked_at) {
      if (fits(messages_[looked_at])) found = &messages_[looked_at];
    }
    return found != nullptr || connection_->output_ended();
  });
  return found;
}

const Message* Session::wait_for_notification(std::size_t from, std::string_view method,
                                              std::chrono::milliseconds timeout) {
  return wait_for(
      from, [&](const Message& it) { return it.kind == Message::Kind::notification && it.method() == method; },
      timeout);
}

void Session::listen_for(std::chrono::milliseconds time) { connection_->listen(time); }

Answer Session::probe() { return request(revision_.modern ? "server/discover" : "ping"); }
bool Session::is_alive() { return probe().ok(); }

void Session::answer_request(const Json& id, const Json& result) { write_line(answer_text(id, result)); }

const Message* Session::foreign_line_in(std::string_view text) const {
  const auto found = std::ranges::find_if(messages_, [&](const Message& it) {
    return it.kind == Message::Kind::foreign && !it.text.empty() &&
           text.find(it.text.substr(0, shown_foreign)) != std::string_view::npos;
  });
  return found != messages_.end() ? &*found : nullptr;
}

bool Session::end(std::chrono::milliseconds time) {
  process().close_input();
  return process().wait_for_end(time);
}

void Session::took(std::string_view line, bool ended) {
  if (flooded_) return;
  messages_.push_back(read_message(line, ended));
  const Message& message = messages_.back();
  foreign_lines_ += message.kind == Message::Kind::foreign ? 1 : 0;
  if (foreign_lines_ > max_foreign_lines || messages_.size() > max_messages ||
      connection_->output_size() > max_output) {
    flooded_ = true;
    connection_->close_output();
    return;
  }
  if (message.kind == Message::Kind::response) {
    if (auto id = message.id()) responses_.emplace(to_json_text(*id), messages_.size() - 1);
  } else if (message.kind == Message::Kind::request) {
    answer_server(Message(message));
  }
}

void Session::answer_server(const Message& message) {
  if (!responder_) return;
  const auto result = responder_(message.method(), message.member("params"));
  if (!result) return;
  // Whatever the server asks while half a line has been sent is no part of that line.
  held_ += answer_text(*message.id(), *result) + "\n";
  send_held();
}

const Message* Session::response_to(const Json& id) const {
  auto found = responses_.find(to_json_text(id));
  return found != responses_.end() ? &messages_[found->second] : nullptr;
}

}  // namespace toolwire::conformance
