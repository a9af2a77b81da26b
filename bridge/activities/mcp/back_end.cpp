#include "activities/mcp/back_end.hpp"

#include <algorithm>
#include <cstddef>
#include <future>
#include <set>
#include <stdexcept>
#include <utility>

#include <boost/json/monotonic_resource.hpp>

#include <toolwire/detail/task_work.hpp>
#include <toolwire/redact.hpp>
#include <toolwire/text.hpp>

namespace toolwire::bridge::mcp {
namespace {

constexpr std::size_t usual_size = 512;  // of the arguments of a call

/// What a log message says, without secrets. Where one was so long that nothing of the JSON is left, as text.
Json said_in(const Json& data, const std::vector<std::string>& secrets) {
  if (data.is_string()) return Json(redact(text::stripped(data.get_string(), text::lines), secrets));
  const std::string clean = redact(to_json_text(data), secrets);
  try {
    return parse_json(clean);
  } catch (const JsonError&) {
    return Json(clean);
  }
}

/// A log message of a server.
struct LogMessage {
  LogLevel level{};
  Json text = {};
  std::optional<std::string> logger = {};
};

std::optional<LogMessage> log_message_from(const Json& message, const std::vector<std::string>& secrets) {
  const JsonObject* members = message.if_object();
  const Json* level = members == nullptr ? nullptr : members->if_contains("level");
  const Json* data = members == nullptr ? nullptr : members->if_contains("data");
  const Json* logger = members == nullptr ? nullptr : members->if_contains("logger");
  if (level == nullptr || !level->is_string() || data == nullptr) return std::nullopt;
  const auto name = std::find(log_level_names.begin(), log_level_names.end(), std::string_view(level->get_string()));
  if (name == log_level_names.end()) return std::nullopt;
  return LogMessage{
      static_cast<LogLevel>(name - log_level_names.begin()), said_in(*data, secrets),
      logger != nullptr && logger->is_string() ? std::optional(text::stripped(logger->get_string())) : std::nullopt};
}

SupervisionLimits limits_from(const BackEndOptions& options) {
  return {.back_off = options.back_off,
          .unasked_restarts = options.unasked_restarts,
          .max_wait = options.max_wait,
          .between_listings = options.between_listings};
}

}  // namespace

BackEnd::BackEnd(BackEndOptions options)
    : options_(std::move(options)),
      log_("back-end \"" + options_.name + "\"", options_.log),
      questions_(options_.max_questions, options_.question_age),
      supervision_(limits_from(options_)),
      tools_(options_.pinned, options_.on_change) {
  if (options_.name.empty()) throw std::invalid_argument("a back-end needs a name");
  if (options_.command.empty() && !(options_.remote && options_.http) && !options_.reach)
    throw std::invalid_argument("back-end \"" + options_.name + "\": no command is given");
  if (options_.shared && !options_.shareable) copies_.separate();
  if (options_.engine) alarms_.emplace(options_.engine);
}

BackEnd::~BackEnd() { end(); }

void BackEnd::end() {
  stop();
  for (const auto& copy : copies_.end()) copy->end();
  std::thread supervisor;
  {
    MutexLock lock(mutex_);
    changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return is_over_; });
    supervisor.swap(supervisor_);
  }
  if (supervisor.joinable()) supervisor.join();
  if (alarms_) alarms_->stop();
}

void BackEnd::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    wake();
  }
  stop_.request_stop();
  for (const auto& copy : copies_.all()) copy->stop();
}

std::shared_ptr<const std::vector<std::string>> BackEnd::secrets() const {
  std::shared_ptr<const std::vector<std::string>> stated(std::shared_ptr<void>(), &options_.secrets);
  if (!options_.remote || !options_.remote->credentials) return stated;
  auto given = options_.remote->credentials->secrets();
  if (stated->empty() || given->empty()) return given->empty() ? stated : given;
  auto all = std::make_shared<std::vector<std::string>>(*stated);
  all->insert(all->end(), given->begin(), given->end());
  return all;
}

void BackEnd::start() {
  const MutexLock lock(mutex_);
  if (supervision_.is_up() || stopping_) return;
  supervision_.want();
  wake();
}

bool BackEnd::has_answered() const {
  const MutexLock lock(mutex_);
  return tools_.is_known() || state_.failures > 0;
}

void BackEnd::wait_for_tools(std::chrono::milliseconds time) {
  MutexLock lock(mutex_);
  const auto failures = state_.failures;
  changed_.wait_for(lock, time, [&]() TOOLWIRE_REQUIRES(mutex_) {
    return stopping_ || tools_.is_known() || state_.failures > failures;
  });
}

std::vector<Json> BackEnd::tools() const { return offered().tools; }

Listing BackEnd::offered() const {
  const MutexLock lock(mutex_);
  return tools_.offered();
}

Listing BackEnd::pinned() const {
  const MutexLock lock(mutex_);
  return tools_.pinned();
}

BackEndState BackEnd::state() const {
  const bool separate = copies_.are_separate();
  const std::size_t copies = copies_.all().size();
  std::vector<system::ProcessId> running = processes();
  const bool needs_login =
      options_.remote && options_.remote->credentials && !options_.remote->credentials->needed().empty();
  const MutexLock lock(mutex_);
  BackEndState state = state_;
  state.separate = separate;
  state.copies = copies;
  state.processes = std::move(running);
  state.running = supervision_.is_up();
  state.changed = tools_.differences();
  state.needs_login = !state.running && needs_login;
  state.calls = counts_->totals();
  return state;
}

std::vector<system::ProcessId> BackEnd::processes() const {
  std::vector<system::ProcessId> all;
  {
    const SharedLock life(life_mutex_);
    ChildProcess* const server = life_ ? life_->client().process() : nullptr;
    if (server != nullptr) all.push_back(server->id());
  }
  for (const auto& copy : copies_.all()) {
    const auto its_own = copy->processes();
    all.insert(all.end(), its_own.begin(), its_own.end());
  }
  return all;
}

std::vector<std::string> BackEnd::accept_changes() {
  std::vector<std::string> accepted;
  {
    const MutexLock lock(mutex_);
    if (stopping_ || state_.starts == 0) return accepted;
    accepted = tools_.accept_changes();
  }
  if (accepted.empty()) return accepted;
  pin_copies();
  if (offer_changed_) offer_changed_();
  return accepted;
}

void BackEnd::pin(const std::vector<Json>& tools) {
  {
    const MutexLock lock(mutex_);
    if (stopping_ || !tools_.pin(tools)) return;
  }
  pin_copies();
  if (offer_changed_) offer_changed_();
}

void BackEnd::pin_copies() {
  const std::vector<Json> tools = pinned().tools;
  for (const auto& copy : copies_.all()) copy->pin(tools);
}

/// Nothing if this one is for all hosts.
std::shared_ptr<BackEnd> BackEnd::copy_for(int peer) {
  return options_.shared && peer != 0 ? copies_.of(peer, [this] { return made_for_peer(); }) : nullptr;
}

/// Held to the same tools, and counted with it.
std::shared_ptr<BackEnd> BackEnd::made_for_peer() const {
  BackEndOptions options = options_;
  options.shared = false;
  options.keep = {};
  {
    const MutexLock lock(mutex_);
    if (tools_.is_known()) options.pinned = tools_.pinned();
  }
  auto made = make_back_end(std::move(options));
  made->counts_ = counts_;
  made->resource_updated_ = resource_updated_;
  made->page_done_ = page_done_;
  return made;
}

void BackEnd::forget(int peer) {
  if (auto copy = copies_.take(peer)) end_elsewhere(std::move(copy));
}

void BackEnd::call_tool(std::string_view tool, const Json& arguments, Context& context, Reply reply) {
  auto caller = std::make_unique<ToolCaller>(context, std::move(reply), options_.name, counts_);
  // The copy takes its memory in one piece and gives it back as a whole.
  JsonObject params(boost::json::make_shared_resource<boost::json::monotonic_resource>(usual_size));
  params.reserve(2);
  params.emplace("name", tool);
  params.emplace("arguments", arguments);
  request("tools/call", std::move(params), std::move(caller));
}

/// No client says who calls in the place of the one who does.
JsonObject BackEnd::meta_for(const Context& context) const {
  JsonObject meta = BackLine::meta_for(context);
  meta.erase(caller_member);
  if (options_.tells_caller && !context.principal().id.empty()) meta[caller_member] = context.principal().id;
  if (!options_.keeps_tasks) meta.erase(detail::task_member);
  return meta;
}

void BackEnd::request(std::string method, JsonObject params, std::unique_ptr<Caller> caller) {
  const JsonObject& answers = caller->context().answers();
  const auto found = answers.empty() ? OpenQuestions::Found{} : questions_.take(answers);
  if (found.request) return found.request->resume(std::move(caller), found.prefix, answers);
  if (options_.shared && !options_.shareable && caller->context().peer_process() == 0) {
    return caller->fail(
        {"unavailable",
         "\"" + options_.name + "\" has a process for each host, and it is not known whose call this is.", false});
  }
  if (const auto copy = copy_for(caller->context().peer_process()))
    return copy->request(std::move(method), std::move(params), std::move(caller));
  if (found.answered) {
    return caller->fail({"question_lost",
                         "The call of \"" + options_.name +
                             "\" that asked this is gone: it was given up, or answered before. Call again.",
                         true});
  }
  BackLine& line = *this;
  const auto fresh = std::make_shared<BackRequest>(line, std::move(method), std::move(params), std::move(caller));
  fresh->begin();
  dispatch(fresh);
}

std::optional<Trouble> BackEnd::refusal(std::string_view tool) const {
  const std::string* const difference = tools_.difference(tool);
  if (difference == nullptr) return std::nullopt;
  return Trouble{"changed",
                 "The tool \"" + std::string(tool) + "\" of \"" + options_.name +
                     "\" is not what it was when it was accepted: " + *difference +
                     ". It can be called again once the operator has accepted the change.",
                 false};
}

void BackEnd::dispatch(const std::shared_ptr<BackRequest>& request) {
  MutexLock lock(mutex_);
  if (const auto trouble = refusal(request->tool())) {
    lock.unlock();
    return request->fail(*trouble);
  }
  if (supervision_.takes_calls()) {
    lock.unlock();
    if (send(request)) return;
    lock.lock();
  }
  const auto trouble = put_off(request);
  lock.unlock();
  if (trouble) request->fail(*trouble);
}

/// False if nothing was sent because there is no server at this moment.
bool BackEnd::send(const std::shared_ptr<BackRequest>& request) {
  const SharedLock life(life_mutex_);
  if (!life_) return false;
  const std::optional<LogLevel> log_level = request->log_level();
  if (log_level) life_->hear_log(*log_level);
  // A question of a legacy server does not say which call it belongs to: it is assigned to one of these.
  if (log_level || !life_->client().server().modern) under_way_.add(request);
  return request->send(life_->client());
}

void BackEnd::send_after_restart(const std::shared_ptr<BackRequest>& request) {
  MutexLock lock(mutex_);
  supervision_.lost("the server no longer knows the session");
  const auto trouble = put_off(request);
  lock.unlock();
  if (trouble) request->fail(*trouble);
}

/// Keeps the request until the server runs and its list is known; refuses it if that would take too long.
std::optional<Trouble> BackEnd::put_off(const std::shared_ptr<BackRequest>& request) {
  if (auto trouble = no_server_soon(Clock::now())) return trouble;
  waiting_.push_back(request);
  supervision_.want();
  wake();
  return std::nullopt;
}

std::optional<Trouble> BackEnd::no_server_soon(Clock::time_point now) const {
  if (stopping_) return Trouble{"unavailable", "The back-end \"" + options_.name + "\" is being ended.", false};
  const auto wait = supervision_.too_long_a_wait(now);
  if (!wait) return std::nullopt;
  return Trouble{"unavailable",
                 "The back-end \"" + options_.name + "\" failed " + std::to_string(supervision_.failures_in_a_row()) +
                     " times in a row; it is started again in " + std::to_string(wait->count()) + " ms. " +
                     state_.trouble,
                 true, wait->count()};
}

/// Whether what names no call could be meant for a host that must not see it.
bool BackEnd::is_ambiguous(const std::vector<std::shared_ptr<BackRequest>>& requests) const {
  if (!options_.shared) return false;
  std::multiset<int> peers;
  for (const auto& one : requests) {
    if (!one->is_over()) peers.insert(one->peer());
  }
  return peers.size() > 1 && (peers.contains(0) || *peers.begin() != *peers.rbegin());
}

/// A log message does not say what it belongs to; like a question it is assigned to the newest call that can take it.
void BackEnd::pass_log(const Json& message) {
  const auto said = log_message_from(message, *secrets());
  if (!said) return;
  const std::string from = options_.name + (said->logger ? "/" + *said->logger : "");
  const std::vector<std::shared_ptr<BackRequest>> requests = under_way_.newest_first();
  if (is_ambiguous(requests)) return log_("said during calls of several hosts: " + to_json_text(said->text));
  for (const auto& request : requests) {
    if (request->log(said->level, said->text, from)) return;
  }
}

std::optional<Json> BackEnd::ask_now(std::string_view method, const JsonObject& params,
                                     std::chrono::milliseconds timeout) {
  const auto answer = std::make_shared<std::promise<std::optional<Json>>>();
  {
    const SharedLock life(life_mutex_);
    if (!life_) return std::nullopt;
    try {
      life_->client().start_request(method, params, {.timeout = timeout}, [answer](RequestOutcome&& outcome) {
        Json* result = std::get_if<Json>(&outcome);
        answer->set_value(result == nullptr ? std::nullopt : std::optional<Json>(std::move(*result)));
      });
    } catch (const ConnectionError&) {
      return std::nullopt;
    }
  }
  return answer->get_future().get();
}

/// The newest call first, since servers ask on behalf of what they have just begun; a call that has an open question
/// only if all have one.
void BackEnd::carry(ServerRequest&& question) {
  if (!may_ask(question.method)) {
    log_("sent a request it may not send: " + question.method);
    return question.refuse(error_code::method_not_found, "a server may not send \"" + question.method + "\"");
  }
  const std::vector<std::shared_ptr<BackRequest>> carriers = under_way_.newest_first();
  if (is_ambiguous(carriers)) {
    const bool are_known = std::ranges::none_of(carriers, [](const auto& one) { return one->peer() == 0; });
    log_("asked with " + question.method + " while calls of several hosts were under way, so that nobody knows whose " +
         "that is" + (are_known && copies_.separate() ? "; from now on each host has a process of its own" : ""));
    return question.refuse(error_code::internal_error,
                           "calls of several hosts that share this server are under way, and this names none of them");
  }
  for (const bool later : {false, true}) {
    for (const auto& carrier : carriers) {
      if (carrier->carry(question, later)) return;
    }
  }
  log_("asked with " + question.method + " while no call was under way that could bring it to the user");
  question.refuse(error_code::internal_error, "no call is under way that could bring this to the user");
}

std::optional<std::string> BackEnd::open_question(const std::shared_ptr<BackRequest>& request) {
  auto prefix = questions_.open(request, Clock::now());
  const MutexLock lock(mutex_);
  wake();  // it grows old
  return prefix;
}

LifeEvents BackEnd::events() {
  return {.lost =
              [this](const std::string& reason) {
                const MutexLock lock(mutex_);
                supervision_.lost(reason);
                wake();
              },
          .lists_changed =
              [this] {
                const MutexLock lock(mutex_);
                supervision_.lists_changed();
                wake();
              },
          .asked = [this](ServerRequest&& question) { carry(std::move(question)); },
          .said = [this](std::string_view line) { log_(redact(line, *secrets())); },
          .logged = [this](const Json& message) { pass_log(message); },
          .resource_updated =
              [this](const std::string& uri) {
                if (resource_updated_) resource_updated_(uri);
              },
          .page_done =
              [this](const std::string& id) {
                if (page_done_) page_done_(id);
              }};
}

}  // namespace toolwire::bridge::mcp
