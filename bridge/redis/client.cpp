#include "client.hpp"

#include <algorithm>
#include <exception>
#include <random>
#include <stdexcept>
#include <utility>

namespace toolwire::redis {
namespace {

using std::chrono::milliseconds;

/// With what a replica refuses to write, in a script or not.
constexpr std::string_view read_only = "READONLY ";

std::exception_ptr failure(const std::string& why) { return std::make_exception_ptr(std::runtime_error(why)); }

Options checked(Options options) {
  if (options.password.empty() && !options.user.empty())
    throw std::invalid_argument("a user of Redis needs a password, or neither is given");
  if (options.deadline <= milliseconds::zero())
    throw std::invalid_argument("the deadline of a command must be longer than nothing");
  return options;
}

/// Doubled with each attempt, and never the same for two processes that lost the same Redis.
milliseconds pause_after(std::size_t attempts) {
  constexpr std::size_t shortest = 20;
  constexpr std::size_t longest = 1'000;
  const std::size_t whole = std::min(longest, shortest << std::min<std::size_t>(attempts, 6));
  static thread_local std::minstd_rand random{std::random_device()()};
  return milliseconds(std::uniform_int_distribution<std::size_t>(whole / 2, whole)(random));
}

}  // namespace

Client::Client(Options options, const std::shared_ptr<Engine>& engine)
    : options_(checked(std::move(options))),
      sealing_("redis", options_.key, options_.second_key, options_.prefix),
      way_(streams::way_to(options_.address, options_.tls, options_.is_tunnelled)),
      engine_(engine ? engine : std::make_shared<Engine>()),
      clock_(Clock::duration(options_.deadline) / 4),
      loop_(engine_),
      connection_(
          loop_, *this, [this](int socket) { return way_.stream(socket); }, options_.max_reply) {}

void Client::ask(std::span<const std::string_view> command, Done<Reply> done) {
  switch (take(command_text(command), done)) {
    case Taken::not_at_all:
      return done.fail(failure("too many commands wait for Redis at " + options_.address));
    case Taken::as_first:
      return void(loop_.post([this] { turn(); }));
    case Taken::behind_others:
      return;
  }
}

/// Moves `done` only if it is taken.
Client::Taken Client::take(std::string text, Done<Reply>& done) {
  const std::size_t size = text.size();
  const MutexLock lock(mutex_);
  if (count_ >= options_.max_commands || size > options_.max_bytes - bytes_) return Taken::not_at_all;
  ++count_;
  bytes_ += size;
  new_.push_back({.text = std::move(text), .size = size, .done = std::move(done)});
  return new_.size() == 1 ? Taken::as_first : Taken::behind_others;
}

void Client::let_go(const Command& command) {
  const MutexLock lock(mutex_);
  --count_;
  bytes_ -= command.size;
}

/// Not on the loop: whoever waits may go on inside the call.
void Client::answer(Command&& command, Reply&& reply) {
  let_go(command);
  struct Answer {
    Done<Reply> done;
    Reply reply;
  };
  const auto answer = std::make_shared<Answer>(Answer{std::move(command.done), std::move(reply)});
  engine_->post([answer] { answer->done(std::move(answer->reply)); });
}

void Client::fail(Command&& command, const std::string& why) {
  let_go(command);
  const auto done = std::make_shared<Done<Reply>>(std::move(command.done));
  engine_->post([done, why] { done->fail(failure(why)); });
}

void Client::fail_all(Commands& commands, const std::string& why) {
  for (Command& command : std::exchange(commands, {})) fail(std::move(command), why);
}

/// All that there is to do now, whatever has happened.
void Client::turn() {
  const auto now = clock_.now();
  take_new();
  end_overdue(now);
  connect_if_needed(now);
  send_waiting();
  set_timer();
}

void Client::take_new() {
  const MutexLock lock(mutex_);
  for (Command& command : new_) {
    command.until = clock_.now() + options_.deadline;
    waiting_.push_back(std::move(command));
  }
  new_.clear();
}

/// Commands become overdue in the order in which they came.
void Client::end_overdue(Clock::time_point now) {
  const bool is_making = phase_ != Phase::closed && phase_ != Phase::ready;
  const bool is_silent = !sent_.empty() && sent_.front().until <= now;
  if (is_silent || (is_making && ready_until_ <= now)) {
    const std::string awaited = connection_.awaited();
    connection_.close();
    broke(awaited);
  }
  while (!waiting_.empty() && waiting_.front().until <= now) {
    fail(std::move(waiting_.front()), cannot_be_used(last_failure_.empty() ? connection_.awaited() : last_failure_));
    waiting_.pop_front();
  }
}

void Client::connect_if_needed(Clock::time_point now) {
  if (phase_ != Phase::closed || waiting_.empty() || now < next_attempt_) return;
  ready_until_ = now + options_.deadline;
  phase_ = Phase::resolving;
  if (!addresses_.empty()) return resolved(std::exchange(addresses_, {}), {});
  resolve();
}

/// On another thread, as the system's resolver may wait.
void Client::resolve() {
  engine_->post([self = weak_from_this(), endpoint = way_.endpoint, reach = way_.reach] {
    std::vector<streams::SocketAddress> addresses;
    std::string why;
    try {
      addresses = streams::addresses_of(endpoint, reach);
    } catch (const std::runtime_error& error) {
      why = error.what();
    }
    const auto client = self.lock();
    if (!client) return;
    client->loop_.post([client = client.get(), addresses = std::move(addresses), why] {
      client->resolved(addresses, why);
      client->turn();
    });
  });
}

/// One of the addresses is tried; the next attempt has the others, and then they are looked up again.
void Client::resolved(std::vector<streams::SocketAddress> addresses, const std::string& why) {
  if (phase_ != Phase::resolving) return;  // it was given up meanwhile
  if (addresses.empty()) return broke(why);
  const streams::SocketAddress next = addresses.front();
  addresses.erase(addresses.begin());
  addresses_ = std::move(addresses);
  phase_ = Phase::connecting;
  connection_.open(next);
}

void Client::opened() {
  phase_ = Phase::greeting;
  greet();
  connection_.flush();
}

void Client::greet() {
  greetings_ = 0;
  const auto say = [this](std::initializer_list<std::string_view> command) {
    connection_.append(command_text({command.begin(), command.size()}));
    ++greetings_;
  };
  if (!options_.user.empty()) {
    say({"AUTH", options_.user, options_.password});
  } else if (!options_.password.empty()) {
    say({"AUTH", options_.password});
  }
  const std::string database = std::to_string(options_.database);
  if (options_.database != 0) say({"SELECT", database});
  say({"PING"});
}

void Client::greeted(const Reply& reply) {
  if (reply.kind == Reply::Kind::error) return refused(reply.text);
  if (--greetings_ > 0) return;
  phase_ = Phase::ready;
  attempts_ = 0;
  last_failure_.clear();
  addresses_.clear();
}

/// One that is still reading its files is waited for. What another refuses here it refuses all.
void Client::refused(const std::string& text) {
  connection_.close();
  if (text.starts_with("LOADING")) return broke(text);
  untrusted("it refuses this client: " + text);
}

std::string Client::cannot_be_used(const std::string& why) const {
  return "Redis at " + options_.address + " cannot be used: " + why;
}

void Client::replied(Reply&& reply) {
  if (phase_ == Phase::greeting) return greeted(reply);
  if (sent_.empty()) {
    connection_.close();
    return broke("it has answered what nobody asked");
  }
  Command command = std::move(sent_.front());
  sent_.pop_front();
  only_reads_ = only_reads_ || (reply.kind == Reply::Kind::error && reply.text.find(read_only) != std::string::npos);
  answer(std::move(command), std::move(reply));
  if (only_reads_ && sent_.empty()) leave_replica();
}

/// Who has taken its place may be at the same address by now, and this one does not end the connection by itself.
void Client::leave_replica() {
  const std::string why = "it is a replica of another Redis, which takes nothing";
  connection_.close();
  broke(why);
  back_off(why);  // as an idle connection that breaks would be made again at once
}

void Client::broke(const std::string& why) {
  const bool was_idle = phase_ == Phase::ready && sent_.empty();
  phase_ = Phase::closed;
  only_reads_ = false;
  fail_all(sent_,
           "the connection to Redis at " + options_.address + " broke, so it is unknown whether this was done: " + why);
  if (!was_idle) back_off(why);
}

void Client::untrusted(const std::string& why) {
  if (phase_ != Phase::ready) fail_all(waiting_, cannot_be_used(why));
  broke(why);
}

void Client::back_off(const std::string& why) {
  last_failure_ = why;
  next_attempt_ = clock_.now() + pause_after(attempts_++);
}

/// What is written is taken from the queue: not more at once than the system takes soon.
void Client::send_waiting() {
  constexpr std::size_t enough = std::size_t{256} << 10;
  if (phase_ != Phase::ready || only_reads_) return;
  while (!waiting_.empty() && connection_.unwritten() < enough) {
    sent_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    connection_.append(std::exchange(sent_.back().text, {}));
  }
  connection_.flush();
}

std::optional<Client::Clock::time_point> Client::next_time() const {
  std::optional<Clock::time_point> next;
  const auto not_after = [&](Clock::time_point time) { next = next ? std::min(*next, time) : time; };
  if (!sent_.empty()) not_after(sent_.front().until);
  if (!waiting_.empty()) not_after(waiting_.front().until);
  if (!waiting_.empty() && phase_ == Phase::closed) not_after(next_attempt_);
  if (phase_ != Phase::closed && phase_ != Phase::ready) not_after(ready_until_);
  return next;
}

/// Often enough for the clock.
void Client::set_timer() {
  auto next = next_time();
  if (next) next = clock_.real(std::min(*next, clock_.now() + Clock::duration(options_.deadline) / 8));
  if (timer_ && next && timer_->first <= *next) return;
  if (timer_) loop_.cancel(*timer_);
  timer_.reset();
  if (!next) return;
  timer_ = loop_.at(*next, [this] {
    timer_.reset();
    turn();
  });
}

std::shared_ptr<Client> make_client(Options options, const std::shared_ptr<Engine>& engine) {
  return std::make_shared<Client>(std::move(options), engine);
}

}  // namespace toolwire::redis
