// Passive check of the schema: every result of a request we know, every notification and every question of the server
// has the members its revision's schema asks for, of the types it gives them.
#include <algorithm>
#include <iterator>

#include "passive/shapes.hpp"
#include "passive/tables.hpp"

namespace toolwire::conformance {
namespace {

struct ByMethod {
  std::string_view method, shape;
  std::string_view since = "2024-11-05", until = "9999";
};

constexpr std::string_view schema_november = "2025-11-25", schema_modern = "2026-07-28";

constexpr ByMethod results[] = {
    {"initialize", "InitializeResult", "2024-11-05", schema_november},
    {"server/discover", "DiscoverResult", schema_modern},
    {"tools/list", "ListToolsResult"},
    {"tools/call", "CallToolResult"},
    {"resources/list", "ListResourcesResult"},
    {"resources/templates/list", "ListResourceTemplatesResult"},
    {"resources/read", "ReadResourceResult"},
    {"prompts/list", "ListPromptsResult"},
    {"prompts/get", "GetPromptResult"},
    {"completion/complete", "CompleteResult"},
    {"tasks/get", "Task", schema_november, schema_november},
    {"tasks/cancel", "Task", schema_november, schema_november},
    {"tasks/list", "ListTasksResult", schema_november, schema_november},
    {"subscriptions/listen", "ListenResult", schema_modern},
};

constexpr ByMethod notifications[] = {
    {"notifications/progress", "Progress"},
    {"notifications/message", "LogMessage"},
    {"notifications/cancelled", "Cancelled"},
    {"notifications/resources/updated", "Updated"},
    {"notifications/subscriptions/acknowledged", "Acknowledged", schema_modern},
    {"notifications/elicitation/complete", "ElicitationComplete", schema_november, schema_november},
    {"notifications/tasks/status", "Task", schema_november, schema_november},
};

constexpr ByMethod questions[] = {
    {"sampling/createMessage", "CreateMessage"},
    {"elicitation/create", "Form", "2025-06-18"},
};

std::string_view shape_of(std::span<const ByMethod> table, std::string_view method, std::string_view revision) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const ByMethod& it) {
    return it.method == method && it.since <= revision && revision <= it.until;
  });
  return found != table.end() ? found->shape : std::string_view();
}

/// One message after the other of one session.
class Look {
 public:
  Look(const Session& session, Watch& watch) : session_(session), watch_(watch) {}

  void at(const Message& message) {
    if (message.kind == Message::Kind::response && !message.is_error()) result(message);
    if (!message.method().empty()) no_null_params(message);
    if (message.kind == Message::Kind::notification) notification(message);
    if (message.kind == Message::Kind::request) question(message, message.method(), message.member("params"));
  }

 private:
  void result(const Message& message) {
    const std::string_view method = session_.method_answered_by(message);
    if (method.empty() || answers_what_is_gone(session_, message)) return;
    const Json& result = message.member("result");
    judge(message, result, "Result");
    const std::string_view type = text_of(get(result, "resultType"));
    if (revision() >= schema_modern && type == "input_required") return input_required(message, result);
    if (revision() >= schema_modern && type != "complete" && !type.empty()) return;  // an extension's
    if (revision() == schema_november && method == "tools/call" && get(result, "task").is_object())
      return judge(message, result, "CreateTaskResult");
    judge(message, result, shape_of(results, method, revision()));
  }

  /// JSON-RPC 2.0, section 4.2: params may be left out, and are a structured value if they are there.
  void no_null_params(const Message& message) {
    const JsonObject& members = message.json.get_object();
    if (members.contains("params") && message.member("params").is_null())
      watch_.violation("params that are an object, or none", start_of(message));
  }

  void input_required(const Message& message, const Json& result) {
    judge(message, result, "InputRequiredResult");
    const JsonObject* requests = get(result, "inputRequests").if_object();
    if (requests == nullptr) return;
    for (const auto& [key, request] : *requests)
      question(message, text_of(get(request, "method")), get(request, "params"));
  }

  void notification(const Message& message) {
    const Json& params = message.member("params");
    if (!params.is_null()) judge(message, params, "Notification");
    judge(message, params, shape_of(notifications, message.method(), revision()));
  }

  void question(const Message& message, std::string_view method, const Json& params) {
    const bool is_page = method == "elicitation/create" && text_of(get(params, "mode")) == "url";
    judge(message, params, is_page && revision() >= schema_november ? "Page" : shape_of(questions, method, revision()));
  }

  void judge(const Message& message, const Json& json, std::string_view shape) {
    if (shape.empty()) return;
    ++watch_.looked_at;
    if (auto what = misfit(json, shape, revision()))
      watch_.violation("a message as the schema of " + std::string(revision()) + " has it (" + std::string(shape) + ")",
                       *what + ", in " + message.text.substr(0, 500));
  }

  std::string_view revision() const { return session_.revision().name; }

  const Session& session_;
  Watch& watch_;
};

void every_message(const Session& session, Watch& watch) {
  Look look(session, watch);
  for (const Message& message : session.messages()) look.at(message);
}

/// 2025-11-25 client/elicitation, URL Elicitation Required Error.
void url_required(const Session& session, Watch& watch) {
  for (const Message& message : session.messages()) {
    if (message.error_code() != -32042) continue;
    ++watch.looked_at;
    const Json& pages = get(message.json, "error", "data", "elicitations");
    const auto what = misfit(pages, "Page[]", session.revision().name);
    if (what || pages.as_array().empty())
      watch.violation("error -32042 with the pages to open in data.elicitations",
                      what.value_or("none") + ", in " + message.text.substr(0, 500));
  }
}

}  // namespace

std::span<const PassiveCheck> schema_passive_checks() {
  static constexpr PassiveCheck checks[] = {
      {"rpc-message-schema", every_message},
      {"lsr-url-required-error", url_required},
  };
  return checks;
}

}  // namespace toolwire::conformance
