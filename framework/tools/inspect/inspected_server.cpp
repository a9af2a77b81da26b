#include "inspect/inspected_server.hpp"

#include <filesystem>
#include <future>
#include <stdexcept>
#include <utility>

#include <toolwire/detail/what_of.hpp>
#include <toolwire/json_members.hpp>
#include <toolwire/text.hpp>

#include "client/listing.hpp"
#include "hosts/url_text.hpp"
#include "tapped_transport.hpp"

namespace toolwire::inspect {
namespace {

JsonObject own_capabilities() {
  return {{"elicitation", JsonObject{{"form", JsonObject{}}, {"url", JsonObject{}}}},
          {"sampling", JsonObject{}},
          {"roots", JsonObject{}}};
}

/// The result of elicitation/create.
ElicitationReply elicited(const Json& result) {
  ElicitationReply reply;
  const Json* const action = find_member(result, "action");
  if (action != nullptr && *action == "accept") reply.action = ElicitationReply::Action::accept;
  if (action != nullptr && *action == "decline") reply.action = ElicitationReply::Action::decline;
  if (const Json* const content = find_member(result, "content")) reply.content = *content;
  return reply;
}

std::string file_url(const std::string& path) {
  std::string url = "file://";
  for (const auto& part : std::filesystem::path(path).relative_path())
    url += "/" + hosts::percent_encoded(part.string());
  return url;
}

}  // namespace

InspectedServer::InspectedServer(const InspectedOptions& options, EventLog& log)
    : options_(options),
      log_(log),
      process_({.command = options.command,
                .errors = Program::Errors::inherit,
                .own_group = true,
                .end_with_parent = true}) {
  ClientOptions client{.name = "toolwire-inspect", .revision = options.revision, .capabilities = own_capabilities()};
  client.on_request_later = [this](ServerRequest&& request) { ask(std::move(request)); };
  // Questions in the results of calls come here, and are waited for.
  client.on_elicitation = [this](const Elicitation& question) {
    return elicited(answer_to("elicitation/create", question.params));
  };
  client.on_request = [this](const std::string& method, const Json& params) { return answer_to(method, params); };
  client.on_notification = [this](const std::string& method, const Json& params) {
    log_.add({{"type", "notification"}, {"method", method}, {"params", params}});
  };
  client.on_malformed = [this](const std::string& line, const std::string& reason) {
    log_.add({{"type", "malformed"}, {"line", text::valid(line)}, {"reason", reason}});
  };
  client.on_lost = [this](const std::string& reason) { log_.add({{"type", "lost"}, {"reason", reason}}); };
  auto tapped = std::make_unique<tools::TappedTransport>(
      process_.transport(),
      [this](tools::TappedTransport::Direction direction, std::string_view line, std::size_t size) {
        see(direction == tools::TappedTransport::Direction::to_server, line, size);
      });
  const std::stop_callback given_up(options.stop, [this] { process_.kill(); });
  client_ = std::make_unique<Client>(std::move(tapped), client);
}

/// Whoever waits for an answer is let go first.
InspectedServer::~InspectedServer() {
  refuse_questions();
  client_.reset();
}

void InspectedServer::stop() {
  refuse_questions();
  process_.stop();
}

/// Those that are there, and all to come.
void InspectedServer::refuse_questions() {
  std::map<std::uint64_t, OpenQuestion> refused;
  {
    const MutexLock lock(mutex_);
    is_over_ = true;
    refused.swap(questions_);
  }
}

Json InspectedServer::description() const {
  const ServerDescription& server = client_->server();
  JsonArray command;
  for (const std::string& word : options_.command) command.push_back(Json(text::valid(word)));
  return JsonObject{{"name", server.name},
                    {"version", server.version},
                    {"revision", server.revision},
                    {"capabilities", server.capabilities},
                    {"instructions", server.instructions},
                    {"command", std::move(command)}};
}

Json InspectedServer::list(const std::string& kind) {
  struct Kind {
    const char* name;
    const char* capability;
    const char* method;
    const char* member;
  };
  static constexpr Kind kinds[] = {{"tools", "tools", "tools/list", "tools"},
                                   {"resources", "resources", "resources/list", "resources"},
                                   {"templates", "resources", "resources/templates/list", "resourceTemplates"},
                                   {"prompts", "prompts", "prompts/list", "prompts"}};
  for (const Kind& one : kinds) {
    if (kind != one.name) continue;
    const Json& capabilities = client_->server().capabilities;
    if (!capabilities.is_object() || !capabilities.get_object().contains(one.capability)) return JsonArray{};
    try {
      return client::list_all(*client_, one.method, one.member);
    } catch (const ProtocolError& error) {  // as servers answer that have resources, and no templates
      if (kind == "templates" && error.code == error_code::method_not_found) return JsonArray{};
      throw;
    }
  }
  throw std::invalid_argument("expected tools, resources, templates or prompts");
}

std::uint64_t InspectedServer::call(const std::string& tool, Json arguments) {
  std::uint64_t number = 0;
  {
    const MutexLock lock(mutex_);
    number = ++numbers_;
  }
  CallOptions options{.timeout = std::chrono::milliseconds::max()};
  options.on_progress = [this, number](const ProgressReport& report) {
    JsonObject event{
        {"type", "progress"}, {"call", number}, {"progress", report.progress}, {"message", report.message}};
    if (report.total) event["total"] = *report.total;
    log_.add(std::move(event));
  };
  log_.add({{"type", "call"}, {"call", number}, {"tool", tool}});
  CallHandle handle = client_->start_call(tool, std::move(arguments), std::move(options),
                                          [this, number](CallOutcome&& outcome) { end(number, std::move(outcome)); });
  const MutexLock lock(mutex_);
  if (!handle.is_done()) calls_.emplace(number, std::move(handle));
  return number;
}

void InspectedServer::end(std::uint64_t number, CallOutcome&& outcome) {
  JsonObject event{{"type", "result"}, {"call", number}};
  if (const auto* result = std::get_if<CallResult>(&outcome)) {
    event["result"] = result->raw;
  } else {
    event["error"] = detail::what_of(std::get<std::exception_ptr>(outcome));
  }
  log_.add(std::move(event));
  std::optional<CallHandle> last;  // its end may be that of the call's own state: outside of the lock
  const MutexLock lock(mutex_);
  if (const auto found = calls_.find(number); found != calls_.end()) {
    last.emplace(std::move(found->second));
    calls_.erase(found);
  }
}

void InspectedServer::cancel(std::uint64_t number) {
  std::optional<CallHandle> handle;
  {
    const MutexLock lock(mutex_);
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    handle.emplace(found->second);
  }
  handle->cancel("cancelled in the inspector");
}

Json InspectedServer::read(const std::string& uri) {
  return client_->request_with_questions("resources/read", {{"uri", uri}});
}

Json InspectedServer::prompt(const std::string& name, const Json& arguments) {
  return client_->request_with_questions("prompts/get", {{"name", name}, {"arguments", arguments}});
}

Json InspectedServer::complete(const Json& reference, const std::string& argument, const std::string& value,
                               const Json& context) {
  JsonObject params{{"ref", reference}, {"argument", JsonObject{{"name", argument}, {"value", value}}}};
  if (context.is_object() && !context.get_object().empty()) params["context"] = JsonObject{{"arguments", context}};
  return client_->request("completion/complete", params);
}

void InspectedServer::set_log_level(const std::string& level) {
  const auto known = log_level_named(level);
  if (!known) throw std::invalid_argument("there is no level \"" + level + "\"");
  client_->set_log_level(*known);
}

Json InspectedServer::roots() const {
  JsonArray list;
  for (const std::string& folder : options_.roots) list.push_back(JsonObject{{"uri", file_url(folder)}});
  return JsonObject{{"roots", std::move(list)}};
}

void InspectedServer::ask(ServerRequest&& request) {
  if (request.method == "roots/list") return request.answer(roots());
  std::optional<ServerRequest> let_go;  // outside of the lock
  const MutexLock lock(mutex_);
  if (is_over_) return;
  const AskedQuestions::Origin origin = asked_.take(request.method, request.params).value_or(AskedQuestions::Origin{});
  if (origin.is_withdrawn) {  // who waits for the answer to one of the client's is told that there is none
    if (AskedQuestions::is_of_server(origin.message)) let_go = unanswered_.keep(std::move(request));
    return;
  }
  const std::uint64_t number = ++numbers_;
  log_.add({{"type", "question"}, {"question", number}, {"method", request.method}, {"params", request.params}});
  questions_.emplace(number, OpenQuestion{std::move(request), origin.message});
}

/// A line of the connection, of which the log is told, and whose questions are withdrawn by it.
void InspectedServer::see(bool is_to_server, std::string_view line, std::size_t size) {
  log_.add(
      {{"type", "message"}, {"to", is_to_server ? "server" : "client"}, {"line", text::valid(line)}, {"size", size}});
  std::optional<std::string> withdrawn;
  {
    const MutexLock lock(mutex_);
    withdrawn = is_to_server ? asked_.to_server(line) : asked_.from_server(line);
  }
  if (withdrawn) withdraw(*withdrawn);
}

void InspectedServer::withdraw(const std::string& message) {
  std::vector<ServerRequest> let_go;  // outside of the lock
  const MutexLock lock(mutex_);
  for (auto it = questions_.begin(); it != questions_.end();) {
    if (it->second.message != message) {
      ++it;
      continue;
    }
    log_.add({{"type", "withdrawn"}, {"question", it->first}});
    if (AskedQuestions::is_of_server(message)) {
      if (auto oldest = unanswered_.keep(std::move(it->second.request))) let_go.push_back(std::move(*oldest));
    } else {
      let_go.push_back(std::move(it->second.request));
    }
    it = questions_.erase(it);
  }
}

Json InspectedServer::answer_to(const std::string& method, const Json& params) {
  const auto promise = std::make_shared<std::promise<ServerRequest::Answer>>();
  ask(ServerRequest(method, params,
                    [promise](ServerRequest::Answer&& answer) { promise->set_value(std::move(answer)); }));
  ServerRequest::Answer answer = promise->get_future().get();
  if (const auto* refusal = std::get_if<ProtocolError>(&answer))
    throw *refusal;  // NOLINT(cert-err60-cpp): it has a text
  return std::move(std::get<Json>(answer));
}

void InspectedServer::answer(std::uint64_t question, std::optional<Json> result) {
  std::optional<ServerRequest> request;
  {
    const MutexLock lock(mutex_);
    const auto found = questions_.find(question);
    if (found == questions_.end()) throw std::invalid_argument("this question was answered already, or never asked");
    request.emplace(std::move(found->second.request));
    questions_.erase(found);
  }
  log_.add({{"type", "answered"}, {"question", question}});
  if (result) return request->answer(std::move(*result));
  request->refuse(-1, "the user does not want to answer");
}

}  // namespace toolwire::inspect
