#include "worker_calls.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/error.hpp>
#include <toolwire/json_members.hpp>

#include "system/random_text.hpp"

namespace toolwire::nats {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t id_parts = 4;
constexpr auto offer_again = 100ms;  // one that nobody took: whoever got it has no room, or it was lost
constexpr auto offer_soon = 100ms;   // one that reached nobody
constexpr auto patience = 2'000ms;   // until nobody can be said to be there
constexpr auto patience_at_start = 8'000ms;
constexpr auto silence = 8'000ms;  // of a worker that counts as gone then: it says something every two seconds
constexpr auto still_waiting = 10'000ms;
constexpr auto looks_again = 1'000ms;  // at the latest, while any call is under way
constexpr unsigned max_refusals = 20;
constexpr std::size_t max_workers = 10'000;
constexpr std::string_view listen_method = "subscriptions/listen";
constexpr std::string_view subscription_member = "io.modelcontextprotocol/subscriptionId";

constexpr std::array<std::string_view, 3> lists{"tools", "prompts", "resources"};

JsonObject* object_in(JsonObject& object, std::string_view name) {
  Json* const member = object.if_contains(name);
  return member == nullptr ? nullptr : member->if_object();
}

const Json& params_of(const JsonObject& message) {
  static const Json none = JsonObject{};
  const Json* const params = message.if_contains("params");
  return params == nullptr ? none : *params;
}

}  // namespace

WorkerCalls::WorkerCalls(Client& client, const std::string& worker, std::shared_ptr<TaskJobs> jobs)
    : client_(client),
      worker_(worker),
      offers_(client.subject("work." + worker)),
      heres_(client.subject("here." + worker)),
      inbox_(client.subject("replica." + bridge::random_text(id_parts))),
      jobs_(std::move(jobs)) {}

void WorkerCalls::begin() {
  const auto self = weak_from_this();
  const auto on_message = [self](void (WorkerCalls::*handle)(Message &&)) {
    return [self, handle](Message&& message) {
      if (const auto calls = self.lock(); calls && !calls->closed_) (calls.get()->*handle)(std::move(message));
    };
  };
  inbox_subscription_ = client_.subscribe(inbox_ + ".*", {}, on_message(&WorkerCalls::came));
  here_subscription_ = client_.subscribe(heres_, {}, [self](Message&& message) {
    const auto calls = self.lock();
    if (!calls || calls->closed_) return;
    if (const auto letter = opened_letter(calls->client_.opened(calls->heres_, message.payload))) calls->here(*letter);
  });
  watcher_ = client_.watch({.lost = [self](const std::string& why) {
    if (const auto calls = self.lock(); calls && !calls->closed_) calls->lost(why);
  }});
}

void WorkerCalls::send(std::string line) {
  unsent_ += line.size();
  client_.post([self = shared_from_this(), line = std::move(line)] {
    self->unsent_ -= line.size();
    if (!self->closed_) self->take_line(line);
  });
}

void WorkerCalls::end(const std::string& reason) {
  lines_.end(reason);
  client_.post([self = shared_from_this()] { self->close(); });
}

void WorkerCalls::close() {
  if (std::exchange(closed_, true)) return;
  for (auto& [id, call] : calls_) {
    if (call.phase == Phase::at_work)
      client_.publish(call.worker, sealed_letter(client_.sealing(), call.worker,
                                                 {.kind = Letter::Kind::stop, .call = id, .number = ++call.said}));
    if (call.phase == Phase::kept) jobs_->detach(call.task);
  }
  calls_.clear();
  set_timer();
  client_.unsubscribe(inbox_subscription_);
  client_.unsubscribe(here_subscription_);
  client_.forget(watcher_);
}

/// What is neither a request nor the end of one says nothing to a worker.
void WorkerCalls::take_line(const std::string& line) {
  Json json = parse_json(line);
  JsonObject& message = json.as_object();
  const std::string method = text_or(message, "method");
  if (method == "notifications/cancelled") return cancel(member_or_null(params_of(message), "requestId"));
  if (!method.empty() && message.contains("id")) begin_call(std::move(message), line);
}

void WorkerCalls::begin_call(JsonObject&& message, const std::string& line) {
  const auto now = clock_.now();
  Call made{.id = bridge::random_text(id_parts),
            .request = message.at("id"),
            .method = text_or(message, "method"),
            .tool = tool_called_in(message),
            .line = line};
  JsonObject* const params = object_in(message, "params");
  JsonObject* const meta = params == nullptr ? nullptr : object_in(*params, "_meta");
  const Json* const about = meta == nullptr || !jobs_ ? nullptr : meta->if_contains(detail::task_member);
  if (about != nullptr && jobs_->is_task(text_or(*about, "id")) && tools_.contains(made.tool))
    return begin_job(std::move(made), std::move(message));
  made.give_up = now + (made.method == "server/discover" ? patience_at_start : patience);
  if (made.method == listen_method) made.give_up = Clock::time_point::max();
  Call& call = calls_.emplace(made.id, std::move(made)).first->second;
  offer(call);
  set_timer();
}

/// What stands in the stream is the request as a worker gets it, who has no business with its task.
void WorkerCalls::begin_job(Call&& made, JsonObject&& message) {
  JsonObject& meta = message["params"].as_object()["_meta"].as_object();
  const Json about = meta[detail::task_member];
  meta.erase(detail::task_member);
  const Json& time = member_or_null(about, "timeMs");
  const KnownTool& tool = tools_.at(made.tool);
  made.phase = Phase::kept;
  made.task = text_or(about, "id");
  TaskJobs::Call call{.task = made.task,
                      .worker = worker_,
                      .tool = made.tool,
                      .hash = tool.hash,
                      .line = to_json_text(message),
                      .again = tool.again,
                      .limit = std::chrono::milliseconds(time.is_int64() ? time.get_int64() : 0)};
  const std::string id = made.id;
  calls_.emplace(id, std::move(made));
  const auto with_it = [weak = weak_from_this(), id](auto act) {
    const auto self = weak.lock();
    if (self && !self->closed_ && self->calls_.contains(id)) act(*self);
  };
  jobs_->begin(
      std::move(call),
      {.said = [with_it,
                id](std::string&& line) { with_it([&](WorkerCalls& self) { self.said(id, std::move(line)); }); },
       .failed = [with_it, id](
                     const std::string& why,
                     bool is_unknown) { with_it([&](WorkerCalls& self) { self.fail(id, why, is_unknown); }); }});
}

/// A task that is kept is not ended by this: its server says so where it is kept (TaskWork::stop).
void WorkerCalls::cancel(const Json& request) {
  for (auto& [id, call] : calls_) {
    if (call.request != request) continue;
    if (call.phase == Phase::at_work)
      client_.publish(call.worker, sealed_letter(client_.sealing(), call.worker,
                                                 {.kind = Letter::Kind::stop, .call = id, .number = ++call.said}));
    if (call.phase == Phase::kept) jobs_->detach(call.task);
    calls_.erase(id);
    return set_timer();
  }
}

void WorkerCalls::offer(Call& call) {
  call.next_offer = clock_.now() + offer_again;
  const std::string answers = answers_of(call);
  client_.publish(offers_,
                  sealed_letter(client_.sealing(), offers_,
                                {.kind = Letter::Kind::offer, .call = call.id, .from = answers, .number = 1}),
                  answers, [weak = weak_from_this(), id = call.id](const std::string& why) {
                    const auto self = weak.lock();
                    if (!self) return;
                    const auto found = self->calls_.find(id);
                    if (found != self->calls_.end()) found->second.why = "NATS cannot be used: " + why;
                  });
}

/// The subject ends with the id of the call.
void WorkerCalls::came(Message&& message) {
  const std::string id = message.subject.substr(std::min(inbox_.size() + 1, message.subject.size()));
  const auto found = calls_.find(id);
  if (message.nobody_there) return found == calls_.end() ? void() : reached_nobody(found->second);
  auto letter = opened_letter(client_.opened(message.subject, message.payload));
  if (!letter || letter->call != id) return;
  const bool waits = found != calls_.end();
  if (letter->kind == Letter::Kind::take)
    return waits && found->second.phase == Phase::offered ? take(found->second, std::move(*letter))
                                                          : refuse(id, letter->from);
  if (waits && found->second.phase == Phase::at_work && letter->from == found->second.worker &&
      letter->number > found->second.heard)
    heard(id, std::move(*letter));
}

void WorkerCalls::reached_nobody(Call& call) {
  if (call.phase != Phase::offered) return;
  call.why = "no worker of this name runs";
  call.next_offer = clock_.now() + offer_soon;
  set_timer();
}

/// Another has it, or nobody waits for it any more: whoever asks keeps no room for it. One that has it asks no more:
/// that is said again by a stranger.
void WorkerCalls::refuse(const std::string& id, const std::string& asking) {
  const auto found = calls_.find(id);
  if (found != calls_.end() && found->second.worker == asking) return;
  client_.publish(asking,
                  sealed_letter(client_.sealing(), asking, {.kind = Letter::Kind::stop, .call = id, .number = 1}));
}

/// The first who asks gets it.
void WorkerCalls::take(Call& call, Letter&& letter) {
  call.phase = Phase::at_work;
  call.worker = std::move(letter.from);
  call.heard = letter.number;
  call.said = 0;
  call.text.clear();
  call.last = clock_.now();
  call.next_wait = call.last + still_waiting;
  give(call);
  set_timer();
}

/// If a part cannot be sent the worker never has the whole, and does not begin.
void WorkerCalls::give(Call& call) {
  const std::size_t room = room_for_text(client_.max_payload());
  const auto tool = tools_.find(call.tool);
  for (std::size_t at = 0; at == 0 || at < call.line.size(); at += room) {
    const Letter letter{.kind = Letter::Kind::work,
                        .call = call.id,
                        .from = answers_of(call),
                        .number = ++call.said,
                        .is_whole = at + room >= call.line.size(),
                        .tools = call.tool.empty() || tool == tools_.end() ? "" : tool->second.hash,
                        .text = call.line.substr(at, room)};
    client_.publish(call.worker, sealed_letter(client_.sealing(), call.worker, letter), {},
                    [weak = weak_from_this(), id = call.id](const std::string& why) {
                      if (const auto self = weak.lock()) self->fail(id, "NATS cannot be used: " + why, false);
                    });
  }
}

void WorkerCalls::heard(const std::string& id, Letter&& letter) {
  Call& call = calls_.at(id);
  if (letter.number != call.heard + 1) return lose(id, "a part of what its worker has said is missing");
  call.heard = letter.number;
  call.last = clock_.now();
  if (letter.kind == Letter::Kind::changed) return changed(call);
  if (letter.kind != Letter::Kind::say) return;
  call.text += letter.text;
  if (letter.is_whole) said(id, std::exchange(call.text, {}));
}

/// A worker whose tool is another one has not begun. Others of its name may still have the one that was listed.
void WorkerCalls::changed(Call& call) {
  call.phase = Phase::offered;
  call.why = "its worker has another tool of this name than it had when it was listed";
  call.give_up = std::max(call.give_up, clock_.now() + patience);
  call.next_offer = clock_.now() + offer_soon;
  if (++call.refusals >= max_refusals) return fail(call.id, call.why, false);
  set_timer();
}

void WorkerCalls::said(const std::string& id, std::string&& line) {
  Call& call = calls_.at(id);
  const Json message = parse_json(line);
  const bool is_answer = find_member(message, "method") == nullptr;
  const bool is_known = text_or(message, "method") == "notifications/subscriptions/acknowledged" && call.was_at_work;
  if (is_answer) read_list(message, call);
  if (!is_known) tell(line);
  if (call.method == listen_method && !is_answer && std::exchange(call.was_at_work, true) && is_known)
    tell_changes(call);  // others may have happened while nobody listened
  if (!is_answer) return;
  calls_.erase(id);
  set_timer();
}

void WorkerCalls::read_list(const Json& message, const Call& call) {
  const Json* const result = call.method == "tools/list" ? find_member(message, "result") : nullptr;
  if (result == nullptr) return;
  const Json request = parse_json(call.line);
  if (find_member(params_of(request.get_object()), "cursor") == nullptr) tools_.clear();
  tools_.merge(known_tools(*result));
}

/// A worker has begun, or has other tools than before. What is told again is passed over.
void WorkerCalls::here(const Letter& letter) {
  if (workers_.size() >= max_workers) workers_.clear();
  Worker& worker = workers_[letter.from];
  if (letter.number <= worker.number) return;
  const bool is_news = worker.tools != letter.tools;
  worker = {letter.number, letter.tools};
  for (auto& [id, call] : calls_) {
    if (call.phase == Phase::offered) offer(call);
    if (is_news && call.method == listen_method) tell_changes(call);
  }
  set_timer();
}

/// Whatever this subscription is told of may have changed.
void WorkerCalls::tell_changes(const Call& call) {
  const Json request = parse_json(call.line);
  const Json& filter = member_or_null(params_of(request.get_object()), "notifications");
  const auto notify = [&](const std::string& what, JsonObject params) {
    params["_meta"] = JsonObject{{subscription_member, call.request}};
    tell(to_json_text(
        JsonObject{{"jsonrpc", "2.0"}, {"method", "notifications/" + what}, {"params", std::move(params)}}));
  };
  for (const std::string_view list : lists) {
    if (bool_member(filter, std::string(list) + "ListChanged").value_or(false))
      notify(std::string(list) + "/list_changed", {});
  }
  const Json& uris = member_or_null(filter, "resourceSubscriptions");
  if (!uris.is_array()) return;
  for (const Json& uri : uris.get_array()) notify("resources/updated", {{"uri", uri}});
}

/// Its worker is gone, or cannot be heard. What only listens may begin again; of all else nobody knows how far it came.
void WorkerCalls::lose(const std::string& id, const std::string& why) {
  Call& call = calls_.at(id);
  if (call.method != listen_method) return fail(id, why, true);
  call.phase = Phase::offered;
  call.next_offer = clock_.now() + offer_soon;
  set_timer();
}

void WorkerCalls::fail(const std::string& id, const std::string& why, bool is_unknown) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  JsonObject data{{"code", "unavailable"}, {"retryable", !is_unknown}};
  if (is_unknown) data["outcome"] = "unknown";
  const JsonObject error{{"code", error_code::internal_error}, {"message", why}, {"data", std::move(data)}};
  const std::string line =
      to_json_text(JsonObject{{"jsonrpc", "2.0"}, {"id", found->second.request}, {"error", error}});
  calls_.erase(found);
  tell(line);
  set_timer();
}

void WorkerCalls::lost(const std::string& why) {
  std::vector<std::string> at_work;
  for (const auto& [id, call] : calls_) {
    if (call.phase == Phase::at_work) at_work.push_back(id);
  }
  for (const std::string& id : at_work) lose(id, "the connection to NATS broke while it was at work: " + why);
}

void WorkerCalls::look() {
  const auto now = clock_.now();
  std::vector<std::string> ids;
  for (const auto& [id, call] : calls_) ids.push_back(id);
  for (const std::string& id : ids) {
    if (const auto found = calls_.find(id); found != calls_.end()) look_at(found->second, now);
  }
  set_timer();
}

void WorkerCalls::look_at(Call& call, Clock::time_point now) {
  if (call.phase == Phase::kept) return;
  if (call.phase == Phase::offered) {
    if (call.give_up <= now)
      return fail(call.id, call.why.empty() ? "no worker has taken it" : std::string(call.why), false);
    if (call.next_offer <= now) offer(call);
    return;
  }
  if (call.last + silence <= now) return lose(call.id, "its worker is not heard any more");
  if (call.next_wait > now) return;
  call.next_wait = now + still_waiting;
  client_.publish(call.worker, sealed_letter(client_.sealing(), call.worker,
                                             {.kind = Letter::Kind::wait, .call = call.id, .number = ++call.said}));
}

void WorkerCalls::set_timer() {
  std::optional<Clock::time_point> next;
  for (const auto& [id, call] : calls_) {
    if (call.phase == Phase::kept) continue;
    const auto due = call.phase == Phase::offered ? std::min(call.give_up, call.next_offer)
                                                  : std::min(call.last + silence, call.next_wait);
    next = next ? std::min(*next, due) : due;
  }
  if (next) next = clock_.real(std::min(*next, clock_.now() + looks_again));
  if (timer_ && next && timer_->first <= *next) return;
  if (timer_) client_.loop().cancel(*timer_);
  timer_.reset();
  if (!next) return;
  timer_ = client_.loop().at(*next, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->timer_.reset();
    self->look();
  });
}

void WorkerCalls::tell(const std::string& line) {
  if (!lines_.add(line)) end("more answers wait to be read than there is room for");
}

}  // namespace toolwire::nats
