#include "activities/mcp/back_request.hpp"

#include <chrono>
#include <cstddef>
#include <stop_token>

#include "activities/mcp/own_thread.hpp"
#include "activities/mcp/round.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::string_view client_capabilities = "io.modelcontextprotocol/clientCapabilities";
constexpr std::string_view log_level_key = "io.modelcontextprotocol/logLevel";

std::optional<LogLevel> least_wanted(const Context& context) {
  for (std::size_t i = 0; i < log_level_names.size(); ++i) {
    if (context.wants_log(static_cast<LogLevel>(i))) return static_cast<LogLevel>(i);
  }
  return std::nullopt;
}

JsonObject joined(JsonObject members, const JsonObject& more) {
  for (const auto& [key, value] : more) members[key] = value;
  return members;
}

}  // namespace

void BackRequest::Cancel::operator()() const {
  if (const auto self = request.lock()) self->cancel("the host cancelled the call");
}

BackRequest::BackRequest(BackLine& line, std::string method, JsonObject params, std::unique_ptr<Caller> caller)
    : line_(line),
      method_(std::move(method)),
      params_(std::move(params)),
      tool_(tool_in(method_, params_)),
      first_(std::move(caller)) {}

void BackRequest::begin() { begin_round(std::move(first_)); }

void BackRequest::begin_round(std::unique_ptr<Caller> caller) {
  Context& context = caller->context();
  const std::stop_token stop = context.stop_token();
  auto round = std::make_shared<Round>();
  round->caller = std::move(caller);
  std::shared_ptr<Round> before;
  {
    const std::lock_guard lock(mutex_);
    meta_ = meta_for_back_end(context.meta());
    wants_progress_ = context.wants_progress();
    log_level_ = least_wanted(context);
    before = std::exchange(asked_round_, nullptr);
    round_ = round;
  }
  round->when_cancelled.emplace(stop, Cancel{weak_from_this()});
}

bool BackRequest::send(Client& client) {
  CallOptions options{.timeout = std::chrono::milliseconds::max()};
  std::optional<JsonObject> with_input;
  unsigned sending = 0;
  {
    const std::lock_guard lock(mutex_);
    if (over_ || cancelled_) return true;
    sending = ++sendings_;
    options.meta = meta_;
    if (log_level_) options.meta[log_level_key] = name_of(*log_level_);
    if (wants_progress_ || log_level_) {  // either has to come before the result
      options.on_progress = [weak = weak_from_this()](const ProgressReport& progress) {
        if (const auto self = weak.lock()) self->report(progress);
      };
    }
    if (!input_.empty()) with_input = joined(params_, input_);
  }
  if (!client.server().modern) {
    options.meta.erase(client_capabilities);
    options.meta.erase(log_level_key);
  }
  try {
    auto handle =
        client.start_request(method_, with_input ? *with_input : params_, std::move(options),
                             [self = shared_from_this()](RequestOutcome&& got) { self->take(std::move(got)); });
    std::unique_lock lock(mutex_);
    if (sendings_ != sending || over_) return true;
    handle_ = handle;
    if (!cancelled_) return true;
    lock.unlock();
    handle.cancel("the host cancelled the call");
  } catch (const CongestedError& error) {
    end(Trouble{"busy", subject() + " is busy: " + error.what(), true});
  } catch (const ConnectionError&) {
    return false;
  } catch (const std::exception& error) {
    refuse_to_go_on(subject() + " cannot be called: " + error.what());
  }
  return true;
}

void BackRequest::cancel(const std::string& reason) {
  std::optional<RequestHandle> handle;
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    handle = handle_;
  }
  if (handle) handle->cancel(reason);
  end(Trouble{"cancelled", "The call was cancelled.", false});
}

void BackRequest::abandon(const std::string& reason) {
  cancel(reason);
  std::optional<ServerRequest> asked;  // refused when it is dropped, without the lock
  std::shared_ptr<Round> round;
  const std::lock_guard lock(mutex_);
  over_ = true;
  asked.swap(asked_);
  round.swap(asked_round_);
}

void BackRequest::take(RequestOutcome&& outcome) {
  const OnBackEndThread here;
  if (const auto* error = std::get_if<std::exception_ptr>(&outcome)) return end(trouble_from(*error, line_.name()));
  Json& result = std::get<Json>(outcome);
  const JsonObject* members = result.if_object();
  if (members == nullptr) return refuse_to_go_on(subject() + " sent a result that is no object.");
  const Json* type = members->if_contains("resultType");
  if (type == nullptr || *type == "complete") return end(Json(std::move(result)));
  if (*type == "input_required") return take_questions(*members);
  refuse_to_go_on(subject() + " sent a result of an unknown type.");
}

void BackRequest::end(Ending&& ending) {
  const auto* trouble = std::get_if<Trouble>(&ending);
  const bool cancelled = trouble != nullptr && trouble->code == "cancelled";
  std::shared_ptr<Round> round;
  std::vector<ServerRequest> carried;  // of other calls, perhaps: they look for another to go with, or are refused
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    handle_.reset();
    carried.swap(carried_);
    over_ = round_ != nullptr;
    round.swap(round_);
    if (!round && kept_.index() == 0) kept_ = std::move(ending);
  }
  for (ServerRequest& question : carried) line_.carry(std::move(question));
  if (cancelled || !round) return;
  const std::lock_guard lock(round->telling);
  if (std::exchange(round->ended, true)) return;
  if (trouble != nullptr) return round->caller->fail(*trouble);
  round->caller->succeed(std::move(std::get<Json>(ending)));
}

bool BackRequest::log(LogLevel level, const Json& data, std::string_view logger) {
  const OnBackEndThread here;
  const std::shared_ptr<Round> round = current_round();
  if (!round) return false;
  const std::lock_guard lock(round->telling);
  if (round->ended || !round->caller->context().wants_log(level)) return false;
  round->caller->context().log(level, data, logger);
  return true;
}

void BackRequest::report(const ProgressReport& progress) {
  const OnBackEndThread here;
  const std::shared_ptr<Round> round = current_round();
  if (!round) return;
  const std::lock_guard lock(round->telling);
  if (!round->ended) round->caller->context().progress(progress.progress, progress.total, progress.message);
}

}  // namespace toolwire::bridge::mcp
