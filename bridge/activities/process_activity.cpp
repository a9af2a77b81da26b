#include "activities/process_activity.hpp"

#include <algorithm>
#include <utility>

#include <toolwire/text.hpp>

#include "confinement/confined.hpp"
#include "templates/parameter_names.hpp"

namespace toolwire::bridge {
namespace {

using Clock = std::chrono::steady_clock;

/// As OpenTelemetry has it for what is carried in an environment. Those that a binding sets stay.
void add_trace_variables(std::map<std::string, std::string>& environment, const TraceContext& trace) {
  if (trace.traceparent.empty()) return;
  environment.emplace("TRACEPARENT", trace.traceparent);
  if (!trace.tracestate.empty()) environment.emplace("TRACESTATE", trace.tracestate);
}

class ProcessActivity : public Activity, public Confined {
 public:
  ProcessActivity(ProcessSettings settings, JsonObject defaults, bool has_output_schema,
                  std::shared_ptr<ProcessRunner> runner)
      : settings_(std::make_shared<const ProcessSettings>(std::move(settings))),
        defaults_(std::move(defaults)),
        output_(settings_->output != ProcessOutput::automatic ? settings_->output
                : has_output_schema                           ? ProcessOutput::json
                                                              : ProcessOutput::text),
        runner_(std::move(runner)) {}

  void start(const Call& call, ActivityContext& context, Reply reply) override;
  std::string_view kind() const override { return "process"; }
  ConfinementReport confinement() const override { return report_on(settings_->confinement); }

 private:
  using Secrets = std::shared_ptr<std::vector<std::string>>;

  ProcessRequest request_for(const Json& parameters, std::vector<std::string>& secrets) const;
  std::optional<std::string> input_for(const Json& parameters) const;
  std::function<void(std::string_view)> line_taker(ActivityContext& context, Secrets secrets) const;

  const std::shared_ptr<const ProcessSettings> settings_;  // shared with the calls that are under way
  const JsonObject defaults_;
  const ProcessOutput output_;
  const std::shared_ptr<ProcessRunner> runner_;
};

std::optional<std::string> ProcessActivity::input_for(const Json& parameters) const {
  if (settings_->arguments_as_input) return to_json_text(parameters);
  if (settings_->input.pieces().empty()) return std::nullopt;
  const Json* value = value_of(settings_->input.pieces().front(), parameters);
  return value == nullptr ? std::nullopt : std::optional(plain_text(*value));
}

ProcessRequest ProcessActivity::request_for(const Json& parameters, std::vector<std::string>& secrets) const {
  ProcessRequest request;
  request.start.command = settings_->argv.expand(parameters);
  request.start.environment = environment_for(*settings_, secrets);
  request.start.directory = settings_->directory;
  request.start.confinement = settings_->confinement;
  request.input = input_for(parameters);
  request.output_limit = settings_->output_limit;
  request.grace = settings_->grace;
  request.deadline = Clock::now() + settings_->timeout;
  return request;
}

std::function<void(std::string_view)> ProcessActivity::line_taker(ActivityContext& context, Secrets secrets) const {
  if (settings_->errors == ProcessErrors::keep) return nullptr;
  const bool logs = settings_->errors == ProcessErrors::log;
  return [&context, secrets = std::move(secrets), logs, lines = 0.0](std::string_view line) mutable {
    const std::string text = text::stripped(without_secrets(std::string(line), *secrets), text::lines);
    if (text.empty()) return;
    if (logs) {
      context.request().log(LogLevel::info, text);
    } else {
      context.progress(lines += 1, {}, text);
    }
  };
}

void ProcessActivity::start(const Call& call, ActivityContext& context, Reply reply) {
  const auto secrets = std::make_shared<std::vector<std::string>>();
  ProcessRequest request = request_for(with_defaults(call.parameters, defaults_), *secrets);
  if (context.deadline()) request.deadline = std::min(*request.deadline, *context.deadline());
  add_trace_variables(request.start.environment, context.trace());
  request.on_error_line = line_taker(context, secrets);
  // std::function needs a copyable target.
  const auto answer = std::make_shared<Reply>(std::move(reply));
  runner_->start(std::move(request), context.stop_token(),
                 [answer, settings = settings_, output = output_, secrets](ProcessEnd&& end) {
                   const std::string program = settings->argv.program();
                   (*answer)(process_result(end, *settings, output, program, *secrets));
                 });
}

}  // namespace

ActivityPointer make_process_activity(ProcessSettings settings, JsonObject defaults, bool has_output_schema,
                                      std::shared_ptr<ProcessRunner> runner) {
  return std::make_shared<ProcessActivity>(std::move(settings), std::move(defaults), has_output_schema,
                                           std::move(runner));
}

}  // namespace toolwire::bridge
