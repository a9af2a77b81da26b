// Audit logs of servers and of registries.
#include <utility>

#include <toolwire/bridge/audit.hpp>

#include "policy/audit_line.hpp"
#include "policy/observed_call.hpp"
#include "registry/outcome_code.hpp"

namespace toolwire::bridge {
namespace {

bool is_sensitive(const ToolInfo& info) {
  const Json* const metadata = info.meta.if_contains("dev.toolwire/metadata");
  const JsonObject* const object = metadata == nullptr ? nullptr : metadata->if_object();
  const Json* const flag = object == nullptr ? nullptr : object->if_contains("sensitive_output");
  return flag != nullptr && (!flag->is_bool() || flag->get_bool());
}

AuditEntry entry_of(const CallRequest& request, const Context& context, const AuditLog& log) {
  Json arguments = request.arguments;
  std::string reasoning;
  if (auto* const object = arguments.if_object()) {
    const Json* const given = object->if_contains("_reasoningForCall");
    if (given != nullptr && given->is_string()) reasoning = given->get_string();
    object->erase("_reasoningForCall");
  }
  AuditEntry entry = audit_entry(request.tool, arguments, reasoning, request.info.input_schema, context, log.secrets());
  entry.sensitive = is_sensitive(request.info);
  return entry;
}

class AuditObserver : public Observer {
 public:
  explicit AuditObserver(std::shared_ptr<AuditLog> log) : log_(std::move(log)) {}

  void ended(const CallInHand& call, const CallEnd& end) override {
    AuditEntry entry = audit_entry(call.tool.name, call.call.parameters, call.call.reasoning, call.tool.parameters,
                                   call.context.request(), log_->secrets());
    entry.decision = call.decision;
    entry.sensitive = call.tool.metadata.sensitive_output.value_or(false);
    log_->append(audit_line(entry, end, log_->max_line()));
  }

 private:
  const std::shared_ptr<AuditLog> log_;
};

}  // namespace

Middleware audited(std::shared_ptr<AuditLog> log) {
  return [log = std::move(log)](CallRequest& request, Context& context, Next next) {
    auto entry = std::make_shared<const AuditEntry>(entry_of(request, context, *log));
    observe(request, context, std::move(next),
            [log, entry](const CallEnd& end) { log->append(audit_line(*entry, end, log->max_line())); });
  };
}

RefusedLook refused_calls_audited(std::shared_ptr<AuditLog> log) {
  return [log = std::move(log)](const CallRequest& call, const Context& context, const ToolResult& answer) {
    const AnyOutcome outcome = answer;
    const std::string code = code_of(outcome);
    const CallEnd end{.code = code, .outcome = &outcome};
    log->append(audit_line(entry_of(call, context, *log), end, log->max_line()));
  };
}

std::shared_ptr<Observer> audit_observer(std::shared_ptr<AuditLog> log) {
  return std::make_shared<AuditObserver>(std::move(log));
}

}  // namespace toolwire::bridge
