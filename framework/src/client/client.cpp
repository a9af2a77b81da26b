#include <toolwire/client.hpp>
#include <toolwire/engine.hpp>
#include <toolwire/json_members.hpp>

#include <optional>
#include <utility>

#include "client/handshake.hpp"
#include "client/later_request.hpp"
#include "client/listening.hpp"
#include "client/listing.hpp"
#include "client/tool_call.hpp"

namespace toolwire {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds for_the_exit{250};

std::string how_it_ended(ChildProcess& process, const std::string& name, milliseconds wait) {
  const auto status = process.wait_for(wait);
  std::string text = "the server \"" + name + "\" " + (status ? status->text() : "closed its output");
  std::string tail = process.error_tail();
  while (tail.ends_with('\n')) tail.pop_back();
  if (!tail.empty()) text += "; the last it wrote to standard error:\n" + tail;
  return text;
}

/// What a program writes to its standard error is read by the engine of the client.
Program watched_by(const std::shared_ptr<Engine>& engine, Program program) {
  if (engine == nullptr || program.watch) return program;
  program.watch = [engine](int descriptor, const std::function<void()>& readable) {
    return std::make_shared<Engine::Watch>(
        engine->watch(descriptor, Engine::readable, [readable](unsigned) { readable(); }));
  };
  return program;
}

using Changed = std::function<void(const std::string&)>;

Changed without_subject(std::function<void()> changed) {
  if (!changed) return {};
  return [changed = std::move(changed)](const std::string&) { changed(); };
}

Subscription listen(const std::shared_ptr<client::Connection>& connection, client::Heard heard, Changed changed) {
  auto listening = std::make_shared<client::Listening>(connection, std::move(heard), std::move(changed));
  listening->start();
  return Subscription{std::move(listening)};
}

}  // namespace

std::string CallResult::text() const {
  std::string all;
  for (const Json& block : content) {
    if (text_or(block, "type") != "text") continue;
    if (!all.empty()) all += '\n';
    all += text_or(block, "text");
  }
  return all;
}

ServerRequest::~ServerRequest() {
  try {
    refuse(error_code::internal_error, "the client gave up this request without an answer");
  } catch (...) {  // out of memory: the server keeps waiting
  }
}

void ServerRequest::send(Answer&& answer) {
  if (const Send answered = std::exchange(send_, nullptr)) answered(std::move(answer));
}

void RequestHandle::cancel(const std::string& reason) { request_->cancel(reason); }

CallResult CallHandle::wait() { return call_->wait(); }
bool CallHandle::is_done() const { return call_->is_done(); }
void CallHandle::cancel(const std::string& reason) { call_->cancel(reason); }

Subscription::~Subscription() {
  if (listening_) listening_->stop();
}

Subscription& Subscription::operator=(Subscription&& other) noexcept {
  std::swap(listening_, other.listening_);
  return *this;
}

bool Subscription::is_active() const { return listening_->is_active(); }

class Client::Parts {
 public:
  Parts(Transport& transport, const ClientOptions& options) { connect(transport, options, {why_of(transport), {}}); }

  Parts(std::unique_ptr<Transport> transport, const ClientOptions& options) : transport_{std::move(transport)} {
    connect(*transport_, options, {why_of(*transport_), {}});
  }

  Parts(const Program& program, const ClientOptions& options) {
    try {
      connect(program, options);
    } catch (const ConnectionError&) {
      if (!client::begins_with_probe(options) || options.stop.stop_requested() || !ended_by_itself()) throw;
      ClientOptions without_probe = options;
      without_probe.revision = protocol::newest_legacy().name;
      connect(program, without_probe);
    }
  }

  ~Parts() { disconnect(); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::shared_ptr<client::Connection> connection;
  std::optional<ChildProcess> process;
  ServerDescription server;

 private:
  void connect(const Program& program, const ClientOptions& options) {
    client::wished_revision(options);
    disconnect();
    process.emplace(watched_by(options.engine, program));
    const std::stop_callback given_up{options.stop, [this] { process->kill(); }};
    const std::string name = program.command.front();
    const milliseconds wait = options.engine == nullptr ? for_the_exit : milliseconds{0};
    connect(process->transport(), options,
            {.text = [this, name, wait] { return how_it_ended(*process, name, wait); },
             .is_known = [this] { return process->exit_status().has_value(); }});
  }

  static std::function<std::string()> why_of(Transport& transport) {
    return [&transport] {
      std::string reason = transport.end_reason();
      return reason.empty() ? "the server closed the connection" : reason;
    };
  }

  void connect(Transport& transport, const ClientOptions& options, client::Ending ending) {
    grace_ = options.grace;
    connection = std::make_shared<client::Connection>(transport, options, std::move(ending));
    try {
      server = client::shake_hands(*connection);
    } catch (...) {
      connection->close();
      throw;
    }
  }

  bool ended_by_itself() { return process && process->exit_status().has_value(); }

  void disconnect() {
    if (process) process->stop(grace_);  // while its output is still read, so that it can end well
    if (connection) connection->close();
  }

  std::unique_ptr<Transport> transport_;
  ChildProcess::Grace grace_;
};

Client::Client(Transport& transport, const ClientOptions& options)
    : parts_{std::make_unique<Parts>(transport, options)} {}
Client::Client(std::unique_ptr<Transport> transport, const ClientOptions& options)
    : parts_{std::make_unique<Parts>(std::move(transport), options)} {}
Client::Client(const Program& program, const ClientOptions& options)
    : parts_{std::make_unique<Parts>(program, options)} {}
Client::~Client() = default;

const ServerDescription& Client::server() const { return parts_->server; }

ChildProcess* Client::process() { return parts_->process ? &*parts_->process : nullptr; }

std::vector<ListedTool> Client::list_tools() {
  std::vector<ListedTool> tools;
  for (const Json& tool : client::list_all(*this, "tools/list", "tools")) tools.push_back(client::listed_tool(tool));
  return tools;
}

std::vector<ListedPrompt> Client::list_prompts() {
  std::vector<ListedPrompt> prompts;
  for (const Json& prompt : client::list_all(*this, "prompts/list", "prompts"))
    prompts.push_back(client::listed_prompt(prompt));
  return prompts;
}

PromptMessages Client::get_prompt(std::string_view name, const std::map<std::string, std::string>& arguments,
                                  CallOptions options) {
  JsonObject texts;
  for (const auto& [key, text] : arguments) texts[key] = text;
  PromptMessages messages{.raw = request_with_questions(
                              "prompts/get", {{"name", name}, {"arguments", std::move(texts)}}, std::move(options))};
  messages.description = text_or(messages.raw, "description");
  if (Json list = member_or_null(messages.raw, "messages"); list.is_array())
    messages.messages = std::move(list.get_array());
  return messages;
}

void Client::set_log_level(LogLevel level) {
  if (parts_->connection->dialect().modern()) return parts_->connection->hear_log(level);
  request("logging/setLevel", {{"level", name_of(level)}});
}

CallResult Client::call(std::string_view tool, Json arguments, CallOptions options) {
  return start_call(tool, std::move(arguments), std::move(options)).wait();
}

CallHandle Client::start_call(std::string_view tool, Json arguments, CallOptions options) {
  auto call = std::make_shared<client::ToolCall>(parts_->connection, tool, std::move(arguments), std::move(options));
  call->start();
  return CallHandle{std::move(call)};
}

CallHandle Client::start_call(std::string_view tool, Json arguments, CallOptions options,
                              std::function<void(CallOutcome&&)> done) {
  auto call = std::make_shared<client::ToolCall>(parts_->connection, tool, std::move(arguments), std::move(options));
  call->start(std::move(done));
  return CallHandle{std::move(call)};
}

RequestHandle Client::start_request(std::string_view method, const JsonObject& params, CallOptions options,
                                    std::function<void(RequestOutcome&&)> done) {
  auto request = std::make_shared<client::LaterRequest>(parts_->connection, std::string{method}, std::move(done));
  request->start(params, std::move(options));
  return RequestHandle{std::move(request)};
}

Json Client::request_with_questions(std::string_view method, JsonObject params, CallOptions options) {
  auto call =
      std::make_shared<client::ToolCall>(parts_->connection, method, method, std::move(params), std::move(options));
  call->start();
  return call->wait().raw;
}

Subscription Client::subscribe_tools(std::function<void()> changed) {
  return listen(parts_->connection, {.lists = {"tools"}}, without_subject(std::move(changed)));
}

Subscription Client::subscribe_lists(std::function<void()> changed) {
  std::vector<std::string_view> lists;
  for (const std::string_view list : {"tools", "resources", "prompts"}) {
    if (member_or_null(member_or_null(parts_->server.capabilities, list), "listChanged") == Json(true))
      lists.push_back(list);
  }
  return listen(parts_->connection, {.lists = std::move(lists)}, without_subject(std::move(changed)));
}

Subscription Client::subscribe_resources(std::vector<std::string> uris,
                                         std::function<void(const std::string&)> updated) {
  return listen(parts_->connection, {.uris = std::move(uris)}, std::move(updated));
}

Json Client::request(std::string_view method, const JsonObject& params, std::optional<milliseconds> timeout) {
  client::Connection& connection = *parts_->connection;
  return connection.request(method, params, timeout.value_or(connection.options().timeout));
}

void Client::notify(std::string_view method, const JsonObject& params) { parts_->connection->notify(method, params); }

void Client::ping() { request(parts_->server.modern ? "server/discover" : "ping"); }

}  // namespace toolwire
