#include <toolwire/client.hpp>
#include <toolwire/json_members.hpp>

#include <stdexcept>
#include <utility>

#include "client/later_request.hpp"
#include "client/listening.hpp"
#include "client/listing.hpp"
#include "client/lives.hpp"
#include "client/tool_call.hpp"

namespace toolwire {
namespace {

using std::chrono::milliseconds;

/// Options of a client whose server has one life only.
const ClientOptions& for_once(const ClientOptions& options) {
  if (options.restart)
    throw std::invalid_argument("ClientOptions::restart is for a server that the client has started");
  if (options.on_restarted)
    throw std::invalid_argument("ClientOptions::on_restarted is never called without ClientOptions::restart");
  return options;
}

client::Lives::Begin begin_of(const Program& program) {
  return [program](const ClientOptions& options) { return std::make_unique<client::Life>(program, options); };
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

class Client::Parts : public client::Lives {
 public:
  using Lives::Lives;
};

Client::Client(Transport& transport, const ClientOptions& options)
    : parts_{std::make_unique<Parts>(std::make_unique<client::Life>(transport, for_once(options)))} {}
Client::Client(std::unique_ptr<Transport> transport, const ClientOptions& options)
    : parts_{std::make_unique<Parts>(std::make_unique<client::Life>(std::move(transport), for_once(options)))} {}
Client::Client(const Program& program, const ClientOptions& options)
    : parts_{options.restart ? std::make_unique<Parts>(begin_of(program), options, *options.restart)
                             : std::make_unique<Parts>(std::make_unique<client::Life>(program, for_once(options)))} {}
Client::~Client() = default;

const ServerDescription& Client::server() const { return parts_->server(); }

ChildProcess* Client::process() { return parts_->process(); }

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

void Client::set_log_level(LogLevel level) { parts_->hear_log(level); }

CallResult Client::call(std::string_view tool, Json arguments, CallOptions options) {
  return start_call(tool, std::move(arguments), std::move(options)).wait();
}

CallHandle Client::start_call(std::string_view tool, Json arguments, CallOptions options) {
  auto connection = parts_->connection(options.timeout);
  auto call = std::make_shared<client::ToolCall>(std::move(connection), tool, std::move(arguments), std::move(options));
  call->start();
  return CallHandle{std::move(call)};
}

CallHandle Client::start_call(std::string_view tool, Json arguments, CallOptions options,
                              std::function<void(CallOutcome&&)> done) {
  auto connection = parts_->connection_at_once();
  auto call = std::make_shared<client::ToolCall>(std::move(connection), tool, std::move(arguments), std::move(options));
  call->start(std::move(done));
  return CallHandle{std::move(call)};
}

RequestHandle Client::start_request(std::string_view method, const JsonObject& params, CallOptions options,
                                    std::function<void(RequestOutcome&&)> done) {
  auto request =
      std::make_shared<client::LaterRequest>(parts_->connection_at_once(), std::string{method}, std::move(done));
  request->start(params, std::move(options));
  return RequestHandle{std::move(request)};
}

Json Client::request_with_questions(std::string_view method, JsonObject params, CallOptions options) {
  auto connection = parts_->connection(options.timeout);
  auto call =
      std::make_shared<client::ToolCall>(std::move(connection), method, method, std::move(params), std::move(options));
  call->start();
  return call->wait().raw;
}

Subscription Client::subscribe_tools(std::function<void()> changed) {
  return listen(parts_->connection(), {.lists = {"tools"}}, without_subject(std::move(changed)));
}

Subscription Client::subscribe_lists(std::function<void()> changed) {
  std::vector<std::string_view> lists;
  for (const std::string_view list : {"tools", "resources", "prompts"}) {
    if (member_or_null(member_or_null(parts_->server().capabilities, list), "listChanged") == Json(true))
      lists.push_back(list);
  }
  return listen(parts_->connection(), {.lists = std::move(lists)}, without_subject(std::move(changed)));
}

Subscription Client::subscribe_resources(std::vector<std::string> uris,
                                         std::function<void(const std::string&)> updated) {
  return listen(parts_->connection(), {.uris = std::move(uris)}, std::move(updated));
}

Json Client::request(std::string_view method, const JsonObject& params, std::optional<milliseconds> timeout) {
  const auto connection = parts_->connection(timeout);
  return connection->request(method, params, timeout.value_or(connection->options().timeout));
}

void Client::notify(std::string_view method, const JsonObject& params) { parts_->connection()->notify(method, params); }

void Client::ping() { request(parts_->server().modern ? "server/discover" : "ping"); }

}  // namespace toolwire
