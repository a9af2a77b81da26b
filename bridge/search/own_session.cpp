#include "search/own_session.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>
#include <toolwire/system/signals_blocked.hpp>

#include "system/random_text.hpp"

namespace toolwire::bridge {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view mark_member = "dev.toolwire/own-session";
constexpr std::string_view client_info_member = "io.modelcontextprotocol/clientInfo";
constexpr std::size_t max_questions = 1'024;  // open at once
constexpr std::chrono::minutes question_age{10};

/// The host's side of a call.
class ForwardedCall : public mcp::Caller {
 public:
  ForwardedCall(Context& context, Reply reply, std::string tool)
      : Caller(context), reply_(std::move(reply)), tool_(std::move(tool)) {}

  void succeed(Json&& result) override {
    reply_(tool_result_from(std::move(result), {.what = "The tool", .name = tool_}));
  }
  void fail(const mcp::Trouble& trouble) override { reply_(mcp::tool_outcome_from(trouble)); }
  void ask(Questions&& questions) override { reply_(std::move(questions)); }

 private:
  Reply reply_;
  const std::string tool_;
};

}  // namespace

OwnSession::OwnSession(Server& server) : mark_(random_text(4)), questions_(max_questions, question_age) {
  const system::SignalsBlocked inherited_by_the_threads;
  auto [client_end, server_end] = memory_transports();
  server_end_ = std::move(server_end);  // NOLINT(cppcoreguidelines-prefer-member-initializer): a structured binding
  server_thread_ = std::thread([this, &server] { server.run(*server_end_); });
  try {
    client_.emplace(std::move(client_end), client_options());
  } catch (...) {
    client_end.reset();
    server_thread_.join();
    throw;
  }
}

OwnSession::~OwnSession() {
  for (const auto& request : questions_.take_all()) request->abandon("the bridge ends");
  client_.reset();
  server_thread_.join();
}

ClientOptions OwnSession::client_options() {
  ClientOptions options;
  options.name = "toolwire-bridge";
  options.revision = "2026-07-28";
  options.capabilities = {{"elicitation", JsonObject{{"form", JsonObject{}}, {"url", JsonObject{}}}},
                          {"sampling", JsonObject{}},
                          {"roots", JsonObject{}}};
  options.on_request_later = [this](ServerRequest&& question) { carry(std::move(question)); };
  options.on_notification = [this](const std::string& method, const Json& params) {
    if (method == "notifications/message") pass_log(params);
  };
  return options;
}

bool OwnSession::is_own(const Context& context) const { return text_member(context.meta(), mark_member) == mark_; }

void OwnSession::call_tool(std::string name, const Json& arguments, Context& context, Reply reply) {
  give_up_old_questions();
  const auto found = questions_.take(context.answers());
  if (found.answered && !found.request)
    return reply(failure("question_lost", "The call of \"" + name + "\" that asked this is gone. Call again.", true));
  auto caller = std::make_unique<ForwardedCall>(context, std::move(reply), name);
  if (found.request) return found.request->resume(std::move(caller), found.prefix, context.answers());
  JsonObject params{{"name", std::move(name)}, {"arguments", arguments}};
  mcp::BackLine& line = *this;
  const auto request = std::make_shared<mcp::BackRequest>(line, "tools/call", std::move(params), std::move(caller));
  request->begin();
  send(request);
}

void OwnSession::send(const std::shared_ptr<mcp::BackRequest>& request) {
  if (request->log_level()) under_way_.add(request);
  if (!request->send(*client_)) request->fail({"unavailable", "The bridge is ending.", false});
}

void OwnSession::list_tools(const std::function<void(std::optional<JsonArray>)>& done) {
  const auto take = [done](RequestOutcome&& outcome) {
    const Json* const result = std::get_if<Json>(&outcome);
    const JsonArray* const tools = result == nullptr ? nullptr : array_member(*result, "tools");
    done(tools == nullptr ? std::nullopt : std::optional(*tools));
  };
  CallOptions options{.meta = {{mark_member, mark_}}};
  try {
    client_->start_request("tools/list", {}, std::move(options), take);
  } catch (const ConnectionError&) {
    done(std::nullopt);
  }
}

/// The host's name belongs to the call, in whatever record is kept of it.
JsonObject OwnSession::meta_for(const Context& context) const {
  JsonObject meta = BackLine::meta_for(context);
  if (!context.client_info().empty()) meta[client_info_member] = context.client_info();
  return meta;
}

std::optional<std::string> OwnSession::open_question(const std::shared_ptr<mcp::BackRequest>& request) {
  return questions_.open(request, Clock::now());
}

void OwnSession::give_up_old_questions() {
  for (const auto& request : questions_.take_old(Clock::now()))
    request->abandon("nobody answered its question in time");
}

/// Servers of this revision ask in their results only.
void OwnSession::carry(ServerRequest&& question) {
  question.refuse(error_code::method_not_found, "\"" + question.method + "\" is not asked like this");
}

/// A message does not say which call it belongs to; the newest that can take it does.
void OwnSession::pass_log(const Json& message) {
  const std::string_view level = text_member(message, "level");
  const auto name = std::ranges::find(log_level_names, level);
  const Json* const data = find_member(message, "data");
  if (name == log_level_names.end() || data == nullptr) return;
  const std::string logger = text_or(message, "logger");
  for (const auto& request : under_way_.newest_first()) {
    if (request->log(static_cast<LogLevel>(name - log_level_names.begin()), *data, logger)) return;
  }
}

}  // namespace toolwire::bridge
