#include "client/lives.hpp"

#include <toolwire/system/signals_blocked.hpp>

#include <utility>

#include "types/in_seconds.hpp"

namespace toolwire::client {
namespace {

using std::chrono::milliseconds;

void say_log_level(Connection& connection, LogLevel level) {
  if (connection.dialect().modern()) return connection.hear_log(level);
  connection.request("logging/setLevel", {{"level", name_of(level)}}, connection.options().timeout);
}

}  // namespace

Lives::Lives(std::unique_ptr<Life> only) : life_(std::move(only)), back_off_({}) {
  descriptions_.push_back(life_->server());
}

Lives::Lives(Begin begin, ClientOptions options, const BackOffOptions& back_off)
    : begin_(std::move(begin)), options_(std::move(options)), back_off_(back_off) {
  given_up_.emplace(std::exchange(options_.stop, ending_.get_token()), [this] { ending_.request_stop(); });
  back_off_.started(Clock::now());
  life_ = begin_(options_);
  descriptions_.push_back(life_->server());
}

Lives::~Lives() {
  ending_.request_stop();
  std::thread thread;
  {
    const MutexLock lock(mutex_);
    ends_ = true;
    thread = std::move(thread_);
    changed_.notify_all();
  }
  if (thread.joinable()) thread.join();
}

std::shared_ptr<Connection> Lives::connection(std::optional<milliseconds> patience) {
  MutexLock lock(mutex_);
  if (auto running = running_or_begun()) return running;
  const milliseconds longest = patience.value_or(options_.timeout);
  const auto until = deadline_after(longest);
  if (!changed_.wait_until(lock, until, [this]() TOOLWIRE_REQUIRES(mutex_) { return !begins_; }))
    throw ConnectionError("the server is being started again, and is not ready after " +
                          std::to_string(longest.count()) + " ms");
  if (is_down_) throw ConnectionError(failure());
  return life_->connection();
}

std::shared_ptr<Connection> Lives::connection_at_once() {
  const MutexLock lock(mutex_);
  if (auto running = running_or_begun()) return running;
  throw ConnectionError("the server is being started again; call again shortly");
}

/// Null: it begins.
std::shared_ptr<Connection> Lives::running_or_begun() {
  if (begins_) return nullptr;
  if (!begin_) return life_->connection();
  if (!is_down_) {
    const auto loss = life_->connection()->loss();
    if (!loss) return life_->connection();
    note_failure(loss->reason, loss->when);
  }
  if (Clock::now() < not_before_) throw ConnectionError(failure());
  if (!thread_.joinable()) start_thread();
  begins_ = true;
  changed_.notify_all();
  return nullptr;
}

void Lives::start_thread() {
  const system::SignalsBlocked inherited_by_the_thread;
  thread_ = std::thread([this] { run(); });
}

void Lives::note_failure(std::string why, Clock::time_point when) {
  is_down_ = true;
  why_ = std::move(why);
  not_before_ = back_off_.failed(when);
}

/// How often it died, and when it is tried again.
std::string Lives::failure() const {
  const unsigned times = back_off_.in_a_row();
  std::string text =
      why_ + "\nIt was lost or did not start " + std::to_string(times) + (times == 1 ? " time" : " times in a row");
  const auto wait = std::chrono::ceil<milliseconds>(not_before_ - Clock::now());
  if (wait.count() <= 0) return text + "; the next call starts it again";
  return text + "; a call after " + types::in_seconds(wait) + " starts it again";
}

void Lives::run() {
  MutexLock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return begins_ || ends_; });
    if (ends_) return;
    begin_next();
  }
}

/// Those who wait go on before the life before is over: they may be what its end waits for.
void Lives::begin_next() {
  back_off_.started(Clock::now());
  std::string why;
  std::unique_ptr<Life> life;
  {
    const auto level = log_level_;
    const MutexUnlock unlock(mutex_);
    life = next_life(why, level);
  }
  if (life) {
    take(life);
  } else {
    note_failure(std::move(why), Clock::now());
  }
  begins_ = false;
  changed_.notify_all();
  const MutexUnlock unlock(mutex_);
  life.reset();
}

std::unique_ptr<Life> Lives::next_life(std::string& why, std::optional<LogLevel> level) const {
  try {
    auto life = begin_(options_);
    if (level) say_log_level(*life->connection(), *level);
    return life;
  } catch (const std::exception& error) {
    why = error.what();
    return nullptr;
  }
}

/// `next` is the life before, afterwards.
void Lives::take(std::unique_ptr<Life>& next) {
  life_.swap(next);
  is_down_ = false;
  const ServerDescription& server = life_->server();
  const ServerDescription& known = descriptions_.back();
  if (server.raw != known.raw || server.revision != known.revision) descriptions_.push_back(server);
  if (!options_.on_restarted) return;
  life_->connection()->call_back([this, &told = descriptions_.back()] { options_.on_restarted(told); });
}

const ServerDescription& Lives::server() const {
  const MutexLock lock(mutex_);
  return descriptions_.back();
}

ChildProcess* Lives::process() {
  const MutexLock lock(mutex_);
  return life_->process();
}

void Lives::hear_log(LogLevel level) {
  say_log_level(*connection(), level);
  const MutexLock lock(mutex_);
  log_level_ = level;
}

}  // namespace toolwire::client
