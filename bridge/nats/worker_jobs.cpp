#include "worker_jobs.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <toolwire/json.hpp>

#include "job_setup.hpp"
#include "system/random_text.hpp"

namespace toolwire::nats {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using namespace std::chrono_literals;

constexpr std::size_t id_parts = 4;
constexpr auto pull_lives = 10'000ms;
constexpr auto pull_lost = 2'000ms;  // after its end: the server did not say so
constexpr auto tries_again = 500ms;
constexpr auto another_worker = 500ms;       // gets what this one cannot begin
constexpr std::int64_t most_beginnings = 3;  // of a call that may begin again

/// How often a message was handed out, from where it is acknowledged:
/// $JS.ACK.[DOMAIN.ACCOUNT.]STREAM.CONSUMER.DELIVERIES.… (ADR-15 of nats-architecture-and-design).
std::int64_t deliveries_in(std::string_view reply) {
  std::vector<std::string_view> words;
  for (std::size_t dot = reply.find('.'); dot != std::string_view::npos; dot = reply.find('.')) {
    words.push_back(reply.substr(0, dot));
    reply.remove_prefix(dot + 1);
  }
  words.push_back(reply);
  constexpr std::size_t without_domain = 9;
  const std::size_t place = words.size() == without_domain ? 4 : 6;
  std::int64_t count = 0;
  if (place < words.size()) std::from_chars(words[place].data(), words[place].data() + words[place].size(), count);
  return count;
}

std::string naked(milliseconds pause) { return "-NAK {\"delay\": " + std::to_string(nanoseconds(pause).count()) + "}"; }

}  // namespace

WorkerJobs::WorkerJobs(Client& client, std::string worker, const std::string& stream, std::size_t max_tasks)
    : client_(client),
      worker_(std::move(worker)),
      max_tasks_(max_tasks),
      inbox_(client.subject("worker." + worker_ + "." + bridge::random_text(id_parts))),
      records_(std::make_shared<JobRecords>(
          client, stream, client.subject("worker." + worker_ + "." + bridge::random_text(id_parts)))) {}

void WorkerJobs::start(Runner runner) {
  runner_ = std::move(runner);
  records_->stream().begin();
  const auto on_message = [weak = weak_from_this()](void (WorkerJobs::*handle)(Message &&)) {
    return [weak, handle](Message&& message) {
      if (const auto self = weak.lock()) (self.get()->*handle)(std::move(message));
    };
  };
  inbox_subscription_ = client_.subscribe(inbox_ + ".*", {}, on_message(&WorkerJobs::came));
  end_subscription_ =
      client_.subscribe(client_.subject("job." + worker_ + ".*.end"), {}, on_message(&WorkerJobs::ended_elsewhere));
  watcher_ = client_.watch({.ready =
                                [weak = weak_from_this()] {
                                  if (const auto self = weak.lock()) self->ready();
                                },
                            .lost =
                                [weak = weak_from_this()](const std::string&) {
                                  if (const auto self = weak.lock()) self->lost();
                                }});
}

void WorkerJobs::end() {
  client_.unsubscribe(inbox_subscription_);
  client_.unsubscribe(end_subscription_);
  client_.forget(watcher_);
  records_->stream().end();
  works_.clear();
  runner_ = {};
  is_draining_ = true;
  if (timer_) client_.loop().cancel(*std::exchange(timer_, std::nullopt));
}

bool WorkerJobs::wait_until_known(milliseconds time) { return first_word_.wait(time); }

/// What has run meanwhile may have been given up by others.
void WorkerJobs::ready() {
  is_ready_ = true;
  is_there_ = false;
  pulling_until_.reset();
  for (const auto& [id, work] : works_) {
    work->next = {};
    if (work->step == Step::begun) check(work);
  }
  tick();
}

void WorkerJobs::ask_whether_there() {
  records_->stream().ask("CONSUMER.INFO." + records_->streams().waiting + "." + worker_, nullptr,
                         [weak = weak_from_this()](const JetStream::Answer& answer) {
                           if (const auto self = weak.lock()) self->known(answer);
                         });
}

void WorkerJobs::lost() {
  is_ready_ = false;
  first_word_.lost();
}

/// Before the first replica has come there is nothing to take out of the stream yet, which is no mistake; it is asked
/// for again, as whoever pulls from what is not there gets no answer, and nothing that comes later.
void WorkerJobs::known(const JetStream::Answer& answer) {
  if (!answer.came && !answer.was_sent) return;
  std::string problem;
  if (answer.nobody_there) problem = no_jetstream_text();
  if (!answer.came) problem = "the nats-server refuses to say what tasks there are: " + answer.error;
  if (!problem.empty() && problem != problem_) client_.log("cannot be asked for tasks: " + problem);
  problem_ = problem;
  first_word_.say(std::move(problem));
  is_there_ = answer.error.empty() || !answer.came;
  pulling_until_.reset();
  if (!is_there_) pulling_until_ = Clock::now() + tries_again;
  tick();
}

// Out of the stream

void WorkerJobs::look_for_more() {
  for (const auto& [id, work] : std::map(works_)) {
    if (work->is_held) run(work);
  }
  if (is_ready_ && !is_draining_) pull();
}

/// One at a time: who has room for more asks again.
void WorkerJobs::pull() {
  const auto now = Clock::now();
  if (pulling_until_ && *pulling_until_ > now) return;
  if (works_.size() >= max_tasks_ || !runner_.has_room || !runner_.has_room()) return;
  pulling_until_ = now + pull_lives + pull_lost;
  if (!is_there_) return ask_whether_there();
  const JsonObject question{{"batch", 1}, {"expires", nanoseconds(pull_lives).count()}};
  client_.publish("$JS.API.CONSUMER.MSG.NEXT." + records_->streams().waiting + "." + worker_, to_json_text(question),
                  inbox_ + "." + std::to_string(++pulls_));
  set_timer();
}

void WorkerJobs::came(Message&& message) {
  const bool is_latest = message.status == 0 || message.subject == inbox_ + "." + std::to_string(pulls_);
  if (is_latest) pulling_until_.reset();
  if (message.status != 0 || message.nobody_there) {
    constexpr int nothing_came = 408;
    if (is_latest && message.status != nothing_came) pulling_until_ = Clock::now() + tries_again;
    return tick();
  }
  if (message.reply.starts_with("$JS.ACK.")) take(std::move(message));
  look_for_more();
}

/// The subject of what is pulled is the one that it waited at. Who cannot have put it there has its message removed.
void WorkerJobs::take(Message&& message) {
  const auto work = std::make_shared<Work>();
  work->reply = message.reply;
  work->deliveries = deliveries_in(message.reply);
  const auto opened = client_.sealing().open(message.subject, message.payload, wall_time());
  if (opened.refusal == Sealing::Refusal::unknown_key) return acknowledge(*work, naked(another_worker));
  auto ticket = opened.refusal ? std::nullopt : ticket_in(opened.value);
  if (!ticket) return acknowledge(*work, "+TERM");
  if (const WorkPointer known = find(ticket->id)) return take_again(*known, *work);
  if (is_draining_) return acknowledge(*work, naked(another_worker));
  work->ticket = std::move(*ticket);
  works_.emplace(work->ticket.id, work);
  work->next = Clock::now() + work->ticket.lease / 3;
  set_timer();
  if (wall_time() >= work->ticket.until) return stop(work, "its time was over before it began");
  read_rest(work);
}

/// NATS has missed that it is at work, or that it begins nowhere else.
void WorkerJobs::take_again(Work& known, Work& again) {
  if (known.reply.empty()) return acknowledge(again, "+ACK");
  known.reply = again.reply;
  client_.publish(known.reply, "+WPI");
}

void WorkerJobs::read_rest(const WorkPointer& work) {
  std::vector<std::string> rest;
  for (std::size_t part = 1; part <= work->ticket.parts; ++part) rest.push_back(subjects_of(*work).in(part));
  records_->read_on(work->ticket.text, std::move(rest),
                    [weak = weak_from_this(), work](JobRecords::Read how, std::string&& text) {
                      const auto self = weak.lock();
                      if (!self || self->find(work->ticket.id) != work) return;
                      if (how == JobRecords::Read::failed) return self->give_back(work, another_worker);
                      if (how == JobRecords::Read::none) return self->stop(work, "a part of it is missing");
                      work->ticket.text = std::move(text);
                      self->run(work);
                    });
}

/// Room that there was when it was asked for may have gone to a call of another kind.
void WorkerJobs::run(const WorkPointer& work) {
  work->is_held = !runner_.has_room || !runner_.has_room();
  if (!work->is_held) runner_.take(work->ticket);
}

void WorkerJobs::drain() {
  is_draining_ = true;
  for (const auto& [id, work] : std::map(works_)) {
    if (work->is_held) give_back(work, 0ms);
  }
}

void WorkerJobs::changed(const std::string& id) {
  const WorkPointer work = find(id);
  if (!work) return;
  if (work->deliveries >= max_deliveries)
    return stop(work, "its worker has another tool of this name than it had when it was listed");
  give_back(work, another_worker);
}

// The beginning

void WorkerJobs::begin(const std::string& id, std::function<void(bool is_mine)> then) {
  const WorkPointer work = find(id);
  if (!work || work->step != Step::taken) return then(false);
  work->time = 1;
  work->then = std::move(then);
  claim(work);
}

/// As often as it takes until the server says who was the first.
void WorkerJobs::claim(const WorkPointer& work) {
  work->is_asking = true;
  records_->create({subjects_of(*work).begun(work->time), inbox_},
                   [self = shared_from_this(), work](Put how, const std::string&) {
                     work->is_asking = false;
                     if (self->find(work->ticket.id) != work) return;
                     if (how == Put::kept) return self->claimed(work);
                     if (how == Put::exists) return self->look_whose(work);
                     if (how == Put::refused) return self->leave(work, naked(another_worker));
                     self->claim_later(work);
                   });
}

void WorkerJobs::claim_later(const WorkPointer& work) {
  work->next = Clock::now() + tries_again;
  set_timer();
}

/// An attempt of this worker may have come there, though the server's word on it did not come back.
void WorkerJobs::look_whose(const WorkPointer& work) {
  work->is_asking = true;
  records_->read(subjects_of(*work).begun(work->time),
                 [self = shared_from_this(), work](JobRecords::Read how, std::string&& whose) {
                   work->is_asking = false;
                   if (self->find(work->ticket.id) != work) return;
                   if (how == JobRecords::Read::failed) return self->claim_later(work);
                   if (how == JobRecords::Read::found && whose == self->inbox_) return self->claimed(work);
                   if (!work->ticket.again || work->time >= most_beginnings) return self->leave(work, "+ACK");
                   ++work->time;
                   self->claim(work);
                 });
}

/// It is this worker's now, unless it was given up before: one of both sees what the other has done.
void WorkerJobs::claimed(const WorkPointer& work) {
  if (!work->ticket.again) acknowledge(*work, "+ACK");  // from here on nobody else gets it
  work->is_asking = true;
  records_->read_end({worker_, work->ticket.id}, [self = shared_from_this(), work](JobRecords::End&& end) {
    work->is_asking = false;
    if (self->find(work->ticket.id) != work) return;
    if (end.how == JobRecords::End::How::failed) return self->claim_later(work);
    if (end.how != JobRecords::End::How::none) return self->leave(work, "+ACK");
    work->step = Step::begun;
    self->beat(*work, {});
    std::exchange(work->then, {})(true);
  });
}

/// It is not begun here.
void WorkerJobs::leave(const WorkPointer& work, const std::string& how) {
  const auto then = std::exchange(work->then, {});
  forget(work, how);
  if (then) then(false);
}

// Its course and its end

void WorkerJobs::said(const std::string& id, const std::string& line) {
  if (const WorkPointer work = find(id); work && work->step == Step::begun) beat(*work, line);
}

/// Nobody has to hear it: what there is for good is the end.
void WorkerJobs::beat(Work& work, const std::string& line) {
  const std::string subject = subjects_of(work).beat();
  const Said said{.time = work.time, .number = ++work.number, .text = line};
  client_.publish(subject, records_->sealed(subject, text_of(said), wall_time() + 5min));
}

void WorkerJobs::ended(const std::string& id, std::string line) {
  const WorkPointer work = find(id);
  if (!work || work->step != Step::begun) return;
  work->step = Step::ending;
  work->answer = std::move(line);
  put_end(work);
}

void WorkerJobs::put_end(const WorkPointer& work) {
  if (!is_ready_ || client_.max_payload() == 0) return put_again(work);
  work->is_asking = true;
  const JobSubjects subjects = subjects_of(*work);
  std::vector<JobRecords::Piece> pieces;
  Ending ending{.time = work->time, .text = work->given_up};
  if (work->given_up.empty()) {
    const std::vector<std::string> parts = in_parts(work->answer, client_.max_payload());
    for (std::size_t part = 1; part < parts.size(); ++part)
      pieces.push_back({subjects.out(work->time, part), parts[part]});
    ending = {.is_answer = true, .time = work->time, .parts = pieces.size(), .text = parts.front()};
  }
  pieces.push_back({subjects.end(), text_of(ending)});
  records_->create_all(std::move(pieces), [weak = weak_from_this(), work](Put how, const std::string& why) {
    const auto self = weak.lock();
    work->is_asking = false;
    if (!self || self->find(work->ticket.id) != work) return;
    if (how == Put::kept || how == Put::exists) return self->forget(work, "+ACK");
    if (how == Put::refused) self->put_refused(*work, why);
    self->put_again(work);
  });
}

/// There may be room a little later; else that is said while others still take this worker for one that is heard.
void WorkerJobs::put_refused(Work& work, const std::string& why) {
  const auto now = Clock::now();
  if (!work.refused) {
    work.refused = now;
    client_.log("cannot keep what a task has come to, it is tried again: " + why);
  } else if (work.given_up.empty() && now >= *work.refused + work.ticket.lease / 2) {
    work.given_up = "what it has come to cannot be kept: " + why;
  }
}

void WorkerJobs::put_again(const WorkPointer& work) {
  work->next = Clock::now() + tries_again;
  set_timer();
}

/// In the place of an answer: it has none, or will have none that anybody waits for.
void WorkerJobs::stop(const WorkPointer& work, const std::string& why) {
  const bool runs = work->step == Step::begun;
  work->step = Step::ending;
  work->given_up = why;
  if (const auto then = std::exchange(work->then, {})) then(false);
  if (runs && runner_.stop) runner_.stop(work->ticket.id);
  put_end(work);
}

/// Somebody else has said what it has come to.
void WorkerJobs::ended_elsewhere(Message&& message) {
  for (const auto& [id, work] : std::map(works_)) {
    if (work->step == Step::begun && subjects_of(*work).end() == message.subject) check(work);
  }
}

/// What stands in the stream counts, and not who says that something does.
void WorkerJobs::check(const WorkPointer& work) {
  if (work->is_asking) return;
  work->is_asking = true;
  records_->read_end({worker_, work->ticket.id}, [weak = weak_from_this(), work](JobRecords::End&& end) {
    const auto self = weak.lock();
    work->is_asking = false;
    if (!self || self->find(work->ticket.id) != work || work->step != Step::begun) return;
    if (end.how != JobRecords::End::How::given_up && end.how != JobRecords::End::How::answered) return;
    const std::string id = work->ticket.id;
    self->forget(work, "+ACK");
    if (self->runner_.stop) self->runner_.stop(id);
  });
}

void WorkerJobs::acknowledge(Work& work, const std::string& how) {
  if (work.reply.empty()) return;
  client_.publish(std::exchange(work.reply, {}), how);
}

void WorkerJobs::give_back(const WorkPointer& work, milliseconds pause) { forget(work, naked(pause)); }

/// Whoever runs it has been told, or has said so.
void WorkerJobs::forget(const WorkPointer& work, const std::string& how) {
  acknowledge(*work, how);
  works_.erase(work->ticket.id);
  if (runner_.changed) runner_.changed();
  look_for_more();
}

void WorkerJobs::abandon() {
  std::vector<WorkPointer> all;
  for (const auto& [id, work] : works_) all.push_back(work);
  for (const WorkPointer& work : all) {
    if (work->step == Step::ending) continue;
    if (work->step == Step::taken || work->ticket.again) {
      leave(work, naked(0ms));
    } else {
      stop(work, "its worker was ended while it ran");
    }
  }
}

WorkerJobs::WorkPointer WorkerJobs::find(const std::string& id) const {
  const auto found = works_.find(id);
  return found == works_.end() ? nullptr : found->second;
}

void WorkerJobs::tick() {
  const auto now = Clock::now();
  if (pulling_until_ && *pulling_until_ <= now) pulling_until_.reset();
  std::vector<WorkPointer> due;
  for (const auto& [id, work] : works_) {
    if (work->next <= now) due.push_back(work);
  }
  for (const WorkPointer& work : due) {
    if (work->step == Step::ending) {
      work->next = now + tries_again;
      if (!work->is_asking) put_end(work);
      continue;
    }
    work->next = now + work->ticket.lease / 3;
    if (!work->reply.empty()) client_.publish(work->reply, "+WPI");
    if (work->then && !work->is_asking) is_ready_ ? claim(work) : claim_later(work);
    if (work->step != Step::begun) continue;
    beat(*work, {});
    const bool is_late = work->ticket.ends > WallTime() && wall_time() >= work->ticket.ends;
    if (is_late) stop(work, "its time was over");
  }
  look_for_more();
  set_timer();
}

void WorkerJobs::set_timer() {
  auto next = Clock::time_point::max();
  if (pulling_until_) next = *pulling_until_;
  for (const auto& [id, work] : works_) next = std::min(next, work->next);
  if (next == Clock::time_point::max()) return;
  next = std::max(next, Clock::now() + 1ms);
  if (timer_ && timer_->first <= next) return;
  if (timer_) client_.loop().cancel(*timer_);
  timer_ = client_.loop().at(next, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->timer_.reset();
    self->tick();
  });
}

}  // namespace toolwire::nats
