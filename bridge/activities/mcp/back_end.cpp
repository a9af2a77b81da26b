#include "activities/mcp/back_end.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <future>
#include <set>
#include <stdexcept>
#include <utility>

#include <boost/json/monotonic_resource.hpp>

#include <toolwire/redact.hpp>
#include <toolwire/system/signals_blocked.hpp>
#include <toolwire/text.hpp>

#include "activities/mcp/own_thread.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::size_t usual_size = 512;  // of the arguments of a call
constexpr std::size_t max_subscriptions = 256;

/// Which resources a server is asked to watch. The bridge does not learn which of them hosts subscribe to, so all are
/// watched, up to a bound.
std::vector<std::string> watchable(const Listing& listing) {
  std::vector<std::string> uris;
  if (!listing.tells_updates) return uris;
  for (const Json& resource : listing.resources) {
    if (uris.size() < max_subscriptions) uris.emplace_back(std::string_view(resource.at("uri").as_string()));
  }
  return uris;
}

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
  if (options_.command.empty() && !(options_.remote && options_.http))
    throw std::invalid_argument("back-end \"" + options_.name + "\": no command is given");
  if (options_.shared && !options_.shareable) copies_.separate();
}

BackEnd::~BackEnd() { end(); }

void BackEnd::end() {
  stop();
  for (const auto& copy : copies_.end()) copy->end();
  const MutexLock only_one(ending_mutex_);
  if (supervisor_.joinable()) supervisor_.join();
}

void BackEnd::stop() {
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  stop_.request_stop();
  for (const auto& copy : copies_.all()) copy->stop();
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
  const MutexLock lock(mutex_);
  BackEndState state = state_;
  state.separate = separate;
  state.copies = copies;
  state.processes = std::move(running);
  state.running = supervision_.is_up();
  state.changed = tools_.differences();
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
  const auto made = make_back_end(std::move(options));
  made->counts_ = counts_;
  made->resource_updated_ = resource_updated_;
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
  const auto said = log_message_from(message, options_.secrets);
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
  changed_.notify_all();  // it grows old
  return prefix;
}

void BackEnd::wake() {
  if (!supervisor_.joinable() && !stopping_) {
    const system::SignalsBlocked inherited_by_the_thread;
    supervisor_ = std::thread([this] { supervise(); });
  }
  changed_.notify_all();
}

LifeEvents BackEnd::events() {
  return {.lost =
              [this](const std::string& reason) {
                const MutexLock lock(mutex_);
                supervision_.lost(reason);
                changed_.notify_all();
              },
          .lists_changed =
              [this] {
                const MutexLock lock(mutex_);
                supervision_.lists_changed();
                changed_.notify_all();
              },
          .asked = [this](ServerRequest&& question) { carry(std::move(question)); },
          .said = [this](std::string_view line) { log_(redact(line, options_.secrets)); },
          .logged = [this](const Json& message) { pass_log(message); },
          .resource_updated =
              [this](const std::string& uri) {
                if (resource_updated_) resource_updated_(uri);
              }};
}

void BackEnd::supervise() {
  const OnBackEndThread here;
  MutexLock lock(mutex_);
  while (!stopping_) take_step(supervision_.next(Clock::now(), !waiting_.empty()), lock);
  lock.unlock();
  end_all();
}

void BackEnd::take_step(Supervision::Step step, MutexLock& lock) {
  switch (step) {
    case Supervision::Step::clean_up:
      return clean_up();
    case Supervision::Step::start:
      return start_server();
    case Supervision::Step::list:
      return list_again();
    case Supervision::Step::send_waiting:
      return send_waiting();
    case Supervision::Step::wait:
      return wait_for_something(lock);
  }
}

void BackEnd::start_server() {
  supervision_.begin_start();
  ++state_.starts;
  std::vector<std::string> rejected;
  std::string failure;
  std::optional<Listing> listing = start_and_list(rejected, failure);
  if (listing) {
    take_listing(std::move(*listing), rejected);  // first: no call goes out before its tool was compared
    return supervision_.started(Clock::now());
  }
  supervision_.start_failed(Clock::now(), !waiting_.empty());
  note_failure("it could not be started: " + failure);
  fail_waiting({"unavailable", "The back-end \"" + options_.name + "\" could not be started: " + failure, true});
  tell_offer_changed();
}

/// Nothing, and why, if there is no server then.
std::optional<Listing> BackEnd::start_and_list(std::vector<std::string>& rejected, std::string& failure) {
  const MutexUnlock unlocked(mutex_);
  std::unique_ptr<ServerConnection> life;
  std::optional<Listing> listing;
  try {
    life = std::make_unique<ServerConnection>(options_, events(), stop_.get_token());
    listing = life->list(rejected);
    life->watch(watchable(*listing));
  } catch (const std::exception& error) {
    failure = for_others(error.what());
    life.reset();
    listing.reset();
  }
  set_life(std::move(life));
  return listing;
}

void BackEnd::clean_up() {
  const std::string reason = for_others(supervision_.begin_clean_up());
  {
    const MutexUnlock unlocked(mutex_);
    set_life(nullptr);
  }
  supervision_.cleaned_up(Clock::now(), !waiting_.empty());
  note_failure(reason);
}

/// What a server said of itself, fit for a log and for models.
std::string BackEnd::for_others(std::string_view text) const {
  return redact(text::stripped(text, text::lines), options_.secrets);
}

/// The connection before ends once nobody uses it, and outside of the lock.
void BackEnd::set_life(std::unique_ptr<ServerConnection> life) {
  const ExclusiveLock exclusive(life_mutex_);
  life_.swap(life);
}

void BackEnd::note_failure(const std::string& reason) {
  if (stopping_) return;  // it fails because it is being ended
  ++state_.failures;
  state_.trouble = reason;
  changed_.notify_all();
  log_(reason);
  if (const auto trouble = no_server_soon(Clock::now())) fail_waiting(*trouble);
}

void BackEnd::fail_waiting(const Trouble& trouble) {
  std::deque<std::shared_ptr<BackRequest>> waiting;
  waiting.swap(waiting_);
  const MutexUnlock unlocked(mutex_);
  for (const auto& request : waiting) request->fail(trouble);
}

void BackEnd::list_again() {
  supervision_.begin_listing(Clock::now());
  std::vector<std::string> rejected;
  try {
    Listing listing = list_unlocked(rejected);
    take_listing(std::move(listing), rejected);
    supervision_.listed();
    send_waiting();  // before its lists are asked for again, however often they change
  } catch (const std::exception& error) {
    // A server that reports changed tools but does not list them cannot be used; it is started again.
    supervision_.lost("it said that its tools had changed, and did not list them: " + for_others(error.what()));
  }
}

Listing BackEnd::list_unlocked(std::vector<std::string>& rejected) {
  const MutexUnlock unlocked(mutex_);
  const SharedLock life(life_mutex_);
  Listing listing = life_->list(rejected);
  life_->watch(watchable(listing));
  return listing;
}

void BackEnd::send_waiting() {
  std::deque<std::shared_ptr<BackRequest>> waiting;
  waiting.swap(waiting_);
  while (!waiting.empty()) {
    const auto request = waiting.front();
    const auto trouble = refusal(request->tool());
    if (!send_unlocked(request, trouble)) break;
    waiting.pop_front();
  }
  if (waiting.empty()) return;
  supervision_.sending_failed();
  waiting_.insert(waiting_.begin(), waiting.begin(), waiting.end());
}

bool BackEnd::send_unlocked(const std::shared_ptr<BackRequest>& request, const std::optional<Trouble>& trouble) {
  const MutexUnlock unlocked(mutex_);
  if (!trouble) return send(request);
  request->fail(*trouble);
  return true;
}

void BackEnd::wait_for_something(MutexLock& lock) {
  std::optional<Clock::time_point> next = questions_.next();
  if (const auto step = supervision_.next_time()) next = next ? std::min(*next, *step) : *step;
  if (next) {
    changed_.wait_until(lock, *next);
  } else {
    changed_.wait(lock);
  }
  const MutexUnlock unlocked(mutex_);
  for (const auto& request : questions_.take_old(Clock::now()))
    request->abandon("nobody answered its question in time");
}

void BackEnd::take_listing(Listing&& listing, const std::vector<std::string>& rejected) {
  for (const std::string& why : rejected) log_("a tool is left out: " + why);
  for (const std::string& note : tools_.notes_on(listing)) log_(note);
  if (options_.keep) {
    const MutexUnlock unlocked(mutex_);
    options_.keep(listing);
  }
  const bool offers_others = tools_.take(std::move(listing));
  changed_.notify_all();
  if (offers_others) tell_offer_changed();
}

void BackEnd::tell_offer_changed() {
  if (!offer_changed_) return;
  const MutexUnlock unlocked(mutex_);
  offer_changed_();
}

void BackEnd::end_all() {
  MutexLock lock(mutex_);
  fail_waiting({"unavailable", "The back-end \"" + options_.name + "\" is being ended.", false});
  lock.unlock();
  set_life(nullptr);
  for (const auto& request : questions_.take_all()) request->abandon("the bridge ends");
}

}  // namespace toolwire::bridge::mcp
