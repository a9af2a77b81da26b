#include "worker_service.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>

#include "system/program_version.hpp"
#include "system/random_text.hpp"

namespace toolwire::nats {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t id_parts = 4;
constexpr std::int64_t list_id = 0;   // of what is asked for here
constexpr auto offer_lives = 100ms;   // until its replica offers it again
constexpr auto ask_again = 500ms;     // what nothing was heard of: the answer may be lost, or its replica be gone
constexpr auto ask_lives = 5'000ms;   // until it counts as given to another
constexpr auto beat_every = 2'000ms;  // while there is work
constexpr auto silence = 35'000ms;    // of a replica that counts as gone then: it says something every ten seconds
constexpr auto last_words = 2'000ms;  // of what is given up at the end
constexpr std::size_t max_offered = 10'000;
constexpr std::string_view subscription_member = "io.modelcontextprotocol/subscriptionId";

JsonObject* params_of(JsonObject& message) {
  Json* const params = message.if_contains("params");
  return params == nullptr ? nullptr : params->if_object();
}

JsonObject* meta_of(JsonObject& message) {
  JsonObject* const params = params_of(message);
  Json* const meta = params == nullptr ? nullptr : params->if_contains("_meta");
  return meta == nullptr ? nullptr : meta->if_object();
}

std::string cancellation_of(std::int64_t id) {
  return to_json_text(JsonObject{{"jsonrpc", "2.0"},
                                 {"method", "notifications/cancelled"},
                                 {"params", JsonObject{{"requestId", id}, {"reason", "nobody waits for it"}}}});
}

/// As a client of the newest revision asks.
std::string question_for_tools() {
  const JsonObject meta{{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                        {"io.modelcontextprotocol/clientInfo",
                         JsonObject{{"name", "toolwire-cluster"}, {"version", bridge::program_version()}}},
                        {"io.modelcontextprotocol/clientCapabilities", JsonObject{}}};
  return to_json_text(JsonObject{
      {"jsonrpc", "2.0"}, {"id", list_id}, {"method", "tools/list"}, {"params", JsonObject{{"_meta", meta}}}});
}

}  // namespace

WorkerService::WorkerService(Client& client, WorkerOptions options)
    : client_(client),
      options_(std::move(options)),
      offers_(client.subject("work." + options_.name)),
      heres_(client.subject("here." + options_.name)),
      inbox_(client.subject("worker." + options_.name + "." + bridge::random_text(id_parts))),
      jobs_(options_.stream.empty()
                ? nullptr
                : std::make_shared<WorkerJobs>(client, options_.name, options_.stream, options_.max_tasks)) {}

void WorkerService::begin() {
  const auto on_message = [weak = weak_from_this()](void (WorkerService::*handle)(Message &&)) {
    return [weak, handle](Message&& message) {
      if (const auto self = weak.lock()) (self.get()->*handle)(std::move(message));
    };
  };
  inbox_subscription_ = client_.subscribe(inbox_ + ".*", {}, on_message(&WorkerService::came));
  offer_subscription_ = client_.subscribe(offers_, "workers", on_message(&WorkerService::offered));
  const auto when = [weak = weak_from_this()](void (WorkerService::*act)()) {
    return [weak, act] {
      if (const auto self = weak.lock()) (self.get()->*act)();
    };
  };
  watcher_ = client_.watch({.ready = when(&WorkerService::list),
                            .lost = [end_all = when(&WorkerService::stop_all)](const std::string&) { end_all(); }});
  if (jobs_) begin_jobs();
}

void WorkerService::begin_jobs() {
  jobs_->start({.has_room =
                    [weak = weak_from_this()] {
                      const auto self = weak.lock();
                      return self && !self->is_draining_ && self->under_way() < self->options_.max_calls;
                    },
                .take =
                    [weak = weak_from_this()](const Ticket& ticket) {
                      if (const auto self = weak.lock()) self->given(ticket);
                    },
                .stop =
                    [weak = weak_from_this()](const std::string& id) {
                      const auto self = weak.lock();
                      if (!self) return;
                      if (const auto found = self->find(id); found != self->works_.end()) self->stop(found);
                    },
                .changed =
                    [weak = weak_from_this()] {
                      if (const auto self = weak.lock()) self->set_count();
                    }});
}

void WorkerService::send(std::string line) {
  unsent_ += line.size();
  client_.post([self = shared_from_this(), line = std::move(line)] {
    self->unsent_ -= line.size();
    self->take_line(line);
  });
}

void WorkerService::drain(std::chrono::milliseconds patience) {
  client_.post([self = shared_from_this()] {
    self->is_draining_ = true;
    self->offered_.clear();
    self->client_.unsubscribe(self->offer_subscription_);
    if (self->jobs_) self->jobs_->drain();
    self->set_count();
  });
  const auto is_done = [this]() TOOLWIRE_REQUIRES(mutex_) { return has_drained_ && count_ == 0; };
  MutexLock lock(mutex_);
  if (changed_.wait_for(lock, patience, is_done) || !jobs_) return;
  lock.unlock();
  client_.post([self = shared_from_this()] {
    self->jobs_->abandon();
    self->set_count();
  });
  lock.lock();
  changed_.wait_for(lock, last_words, is_done);
}

void WorkerService::end(const std::string& reason) {
  lines_.end(reason);
  client_.post([self = shared_from_this()] {
    self->client_.unsubscribe(self->offer_subscription_);
    self->client_.unsubscribe(self->inbox_subscription_);
    self->client_.forget(self->watcher_);
    self->works_.clear();
    self->asked_.clear();
    if (self->jobs_) self->jobs_->end();
    self->set_timer();
  });
}

void WorkerService::offered(Message&& message) {
  auto letter = opened_letter(client_.opened(message.subject, message.payload));
  if (!letter || letter->kind != Letter::Kind::offer || is_draining_ || offered_.size() >= max_offered) return;
  if (asked_.contains(letter->call) || find(letter->call) != works_.end()) return;
  offered_.push_back({std::move(letter->call), std::move(letter->from), Clock::now() + offer_lives});
  ask_for_more();
}

/// What waits for room here too long is offered to another meanwhile.
void WorkerService::ask_for_more() {
  const auto now = Clock::now();
  while (!offered_.empty() && under_way() < options_.max_calls) {
    Offered next = std::move(offered_.front());
    offered_.pop_front();
    if (next.until <= now) continue;
    Asked asked{std::move(next.answers), inbox_ + "." + bridge::random_text(id_parts), now + ask_lives};
    ask(next.call, asked);
    asked_.emplace(std::move(next.call), std::move(asked));
  }
  if (jobs_) jobs_->look_for_more();
  set_timer();
}

void WorkerService::ask(const std::string& call, Asked& asked) {
  asked.again = Clock::now() + ask_again;
  if (asked.heard > 0) return;  // it comes in parts
  const Letter letter{.kind = Letter::Kind::take, .call = call, .from = asked.inbox, .number = 1};
  client_.publish(asked.answers, sealed_letter(client_.sealing(), asked.answers, letter), asked.inbox);
}

/// What listens holds nothing up.
std::size_t WorkerService::under_way() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(asked_, [](const auto& asked) { return !asked.second.is_unheard; }) +
      std::ranges::count_if(works_, [](const auto& work) { return !work.second.listens; }));
}

void WorkerService::came(Message&& message) {
  if (message.nobody_there) return unheard(message.subject);
  auto letter = opened_letter(client_.opened(message.subject, message.payload));
  if (!letter) return;
  if (letter->kind == Letter::Kind::work) return given(message.subject, std::move(*letter));
  if (letter->kind == Letter::Kind::stop) refused(message.subject, *letter);
  const auto found = find(letter->call);
  if (found == works_.end() || found->second.inbox != message.subject || letter->number <= found->second.heard) return;
  found->second.heard = letter->number;
  found->second.last = clock_.now();
  if (letter->kind == Letter::Kind::stop) stop(found);
}

/// A call that was asked for is another's, or was cancelled.
void WorkerService::refused(const std::string& inbox, const Letter& letter) {
  const auto found = asked_.find(letter.call);
  if (found == asked_.end() || found->second.inbox != inbox || letter.number <= found->second.heard) return;
  asked_.erase(found);
  ask_for_more();
}

/// Its replica is gone, says NATS, which anybody could say: no room is kept for it, but if it comes it is begun.
void WorkerService::unheard(const std::string& inbox) {
  const auto found = std::ranges::find_if(asked_, [&](const auto& asked) { return asked.second.inbox == inbox; });
  if (found == asked_.end()) return;
  found->second.is_unheard = true;
  ask_for_more();
}

/// Only what was asked for is begun, and only once.
void WorkerService::given(const std::string& inbox, Letter&& letter) {
  const auto found = asked_.find(letter.call);
  if (found == asked_.end() || found->second.inbox != inbox || letter.number != found->second.heard + 1) return;
  Asked& asked = found->second;
  asked.heard = letter.number;
  asked.text += letter.text;
  if (!letter.is_whole) return;
  Json json = parse_json(asked.text);
  Work made{.call = letter.call,
            .answers = std::move(asked.answers),
            .inbox = inbox,
            .message = std::move(json.as_object()),
            .tools = std::move(letter.tools),
            .heard = letter.number,
            .last = clock_.now()};
  asked_.erase(found);
  made.listens = text_or(made.message, "method") == "subscriptions/listen";
  const std::int64_t id = ++last_id_;
  works_.emplace(id, std::move(made));
  set_count();
  start(id);
  set_timer();
}

/// A call that is a task is one like any other here, but for where what it says goes.
void WorkerService::given(const Ticket& ticket) {
  Work made{.call = ticket.id, .tools = ticket.tools, .is_job = true};
  try {
    Json json = parse_json(ticket.text);
    made.message = std::move(json.as_object());
  } catch (const std::exception&) {
    return jobs_->changed(ticket.id);  // of a later version of this program
  }
  const std::int64_t id = ++last_id_;
  works_.emplace(id, std::move(made));
  set_count();
  start(id);
}

void WorkerService::begin_job(std::int64_t id) {
  jobs_->begin(works_.at(id).call, [weak = weak_from_this(), id](bool is_mine) {
    const auto self = weak.lock();
    if (!self) return;
    const auto found = self->works_.find(id);
    if (found == self->works_.end()) return;
    found->second.is_begun = true;
    if (is_mine) return self->hand_over(id);
    self->works_.erase(found);
    self->set_count();
    self->ask_for_more();
  });
}

void WorkerService::start(std::int64_t id) {
  if (tool_called_in(works_.at(id).message).empty()) return hand_over(id);
  unknown_.push_back(id);
  is_listed() ? start_known() : list();
}

/// A call that was meant for another tool than the one of its name that is here now is not begun.
void WorkerService::start_known() {
  for (const std::int64_t id : std::exchange(unknown_, {})) {
    const auto found = works_.find(id);
    if (found == works_.end()) continue;
    const auto tool = tools_.find(tool_called_in(found->second.message));
    if (tool != tools_.end() && tool->second.hash == found->second.tools) {
      hand_over(id);
      continue;
    }
    say_changed(found);
  }
}

void WorkerService::say_changed(Works::iterator work) {
  const Work gone = std::move(work->second);
  works_.erase(work);
  set_count();
  if (gone.is_job) return jobs_->changed(gone.call);
  Work said = gone;
  say(said, Letter::Kind::changed, {});
}

void WorkerService::hand_over(std::int64_t id) {
  Work& work = works_.at(id);
  if (work.is_job && !work.is_begun) return begin_job(id);
  work.request = std::exchange(work.message["id"], Json(id));
  if (JsonObject* const meta = meta_of(work.message)) {
    if (Json* const token = meta->if_contains("progressToken")) work.progress = std::exchange(*token, Json(id));
  }
  if (!lines_.add(to_json_text(std::exchange(work.message, {})))) end("more calls wait than there is room for");
}

bool WorkerService::is_listed() const { return listed_version_ && *listed_version_ == options_.tools_version(); }

void WorkerService::list() {
  if (listing_version_) return;
  listing_version_ = options_.tools_version();
  lines_.add(question_for_tools());
}

void WorkerService::listed(const Json& result) {
  listed_version_ = std::exchange(listing_version_, std::nullopt);
  tools_ = known_tools(result);
  announce();
  is_listed() ? start_known() : list();
}

void WorkerService::announce() {
  client_.publish(
      heres_,
      sealed_letter(client_.sealing(), heres_,
                    {.kind = Letter::Kind::here, .from = inbox_, .number = ++announced_, .tools = hash_of(tools_)}));
}

void WorkerService::take_line(const std::string& line) {
  Json json = parse_json(line);
  JsonObject& message = json.as_object();
  if (message.contains("method")) return notified(std::move(message));
  const Json& id = member_or_null(message, "id");
  if (id.is_int64()) answered(id.get_int64(), std::move(message));
}

void WorkerService::answered(std::int64_t id, JsonObject&& message) {
  if (id == list_id) return listed(member_or_null(message, "result"));
  const auto found = works_.find(id);
  if (found == works_.end()) return;
  message["id"] = found->second.request;
  const std::string line = to_json_text(message);
  const bool is_job = found->second.is_job;
  const std::string call = found->second.call;
  if (!is_job) say(found->second, Letter::Kind::say, line);
  works_.erase(found);
  if (is_job) jobs_->ended(call, line);
  set_count();
  ask_for_more();
}

/// Progress, and what listeners are told. Anything else is of no call in particular.
void WorkerService::notified(JsonObject&& message) {
  JsonObject* const params = params_of(message);
  if (params == nullptr) return;
  JsonObject* const meta = meta_of(message);
  Json* const token = params->if_contains("progressToken");
  Json* const subscription = meta == nullptr ? nullptr : meta->if_contains(subscription_member);
  Json* const which = token != nullptr ? token : subscription;
  if (which == nullptr || !which->is_int64()) return;
  const auto found = works_.find(which->get_int64());
  if (found == works_.end()) return;
  *which = token != nullptr ? found->second.progress : found->second.request;
  if (found->second.is_job) return jobs_->said(found->second.call, to_json_text(message));
  say(found->second, Letter::Kind::say, to_json_text(message));
}

void WorkerService::say(Work& work, Letter::Kind kind, const std::string& text) {
  const std::size_t room = room_for_text(client_.max_payload());
  for (std::size_t at = 0; at == 0 || at < text.size(); at += room) {
    const Letter letter{.kind = kind,
                        .call = work.call,
                        .from = work.inbox,
                        .number = ++work.said,
                        .is_whole = at + room >= text.size(),
                        .text = text.substr(at, room)};
    client_.publish(work.answers, sealed_letter(client_.sealing(), work.answers, letter));
  }
}

WorkerService::Works::iterator WorkerService::find(const std::string& call) {
  return std::ranges::find_if(works_, [&](const auto& work) { return work.second.call == call; });
}

void WorkerService::stop(Works::iterator work) {
  lines_.add(cancellation_of(work->first));
  works_.erase(work);
  set_count();
  ask_for_more();
}

/// No answer reaches anybody any more, but that of a task, which is kept until it does.
void WorkerService::stop_all() {
  asked_.clear();
  offered_.clear();
  const auto is_call = [](const auto& work) { return !work.second.is_job; };
  for (auto next = std::ranges::find_if(works_, is_call); next != works_.end();
       next = std::ranges::find_if(works_, is_call))
    stop(next);
}

void WorkerService::look() {
  const auto now = Clock::now();  // what was given to another while this process stood still is not begun here
  std::erase_if(asked_, [&](const auto& asked) { return asked.second.until <= now; });
  for (auto& [call, asked] : asked_) {
    if (asked.again <= now) ask(call, asked);
  }
  if (next_beat_ <= now) beat();
  ask_for_more();
  set_count();
}

void WorkerService::beat() {
  next_beat_ = Clock::now() + beat_every;
  std::vector<Works::iterator> forgotten;
  for (auto work = works_.begin(); work != works_.end(); ++work) {
    if (work->second.is_job) continue;
    if (work->second.last + silence <= clock_.now()) {
      forgotten.push_back(work);
    } else {
      say(work->second, Letter::Kind::beat, {});
    }
  }
  for (const auto& work : forgotten) stop(work);
}

void WorkerService::set_timer() {
  if (works_.empty() && asked_.empty() && offered_.empty()) return;
  if (!timer_ && next_beat_ <= Clock::now()) next_beat_ = Clock::now() + beat_every;
  auto next = next_beat_;
  for (const auto& [call, asked] : asked_) next = std::min(next, asked.again);
  if (timer_ && timer_->first <= next) return;
  if (timer_) client_.loop().cancel(*timer_);
  timer_ = client_.loop().at(next, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->timer_.reset();
    self->look();
  });
}

void WorkerService::set_count() {
  const MutexLock lock(mutex_);
  count_ = under_way() + (jobs_ ? jobs_->count() : 0);
  has_drained_ = is_draining_;
  changed_.notify_all();
}

}  // namespace toolwire::nats
