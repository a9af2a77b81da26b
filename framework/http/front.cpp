#include "front.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "client_message.hpp"
#include "post.hpp"
#include "toolwire/engine.hpp"
#include "transport/nowhere.hpp"

namespace toolwire::http {
namespace {

std::shared_ptr<engine::Engine> own_engine(const ServerOptions& options) {
  auto engine =
      engine::Engine::make({.threads = std::max(options.threads, 1u), .drain = options.limits.drain, .stands = true});
  engine->start();
  return engine;
}

}  // namespace

Front::Front(std::shared_ptr<Server::State> state, Times times, std::shared_ptr<engine::Engine> serving)
    : state_(std::move(state)),
      times_(times),
      serving_(std::move(serving)),
      has_own_engine_(!serving_ && !state_->options.engine),
      nowhere_(std::make_unique<transport::Nowhere>()),
      no_output_(std::make_unique<engine::SendQueue>(*nowhere_, state_->options.limits, [] {})) {}

void Front::begin(std::function<void()> when_over) {
  when_over_ = std::move(when_over);
  engine_ = serving_          ? serving_
            : has_own_engine_ ? own_engine(state_->options)
                              : server::Serving::inside(*state_->options.engine);
  channel_ = std::make_shared<engine::Channel>(engine_, *this, *no_output_);
  engine_->attach(channel_, shared_from_this());
  relayed_ = state_->relay_to(*this);
  if (serving_) return;  // which is stopped itself
  when_stopped_ = state_->serving.when_stopped([weak = weak_from_this(), engine = engine_.get()] {
    engine->post([weak] {
      if (const auto self = weak.lock()) self->engine_->stop(self->channel_);
    });
  });
}

void Front::end() {
  if (relayed_) state_->forget(*std::exchange(relayed_, std::nullopt));
  if (when_stopped_) state_->serving.forget(*when_stopped_);
  stopping_.store(true, std::memory_order_release);
  engine_->detach(channel_);
  if (engine_->is_inside()) {  // a thread cannot wait for its own end
    if (has_own_engine_) std::thread([engine = engine_] { engine->end(); }).detach();
  } else if (has_own_engine_) {
    engine_->end();
  } else {
    MutexLock lock(mutex_);
    ended_.wait(lock, [this]() TOOLWIRE_REQUIRES(mutex_) { return is_over_; });
  }
}

void Front::on_client_message(const Event& event) {
  engine_->post([weak = weak_from_this(), event] {
    if (const auto self = weak.lock()) take(*self, event);
  });
}

std::uint64_t Front::enter(const std::shared_ptr<Post>& post) {
  const MutexLock lock(mutex_);
  if (is_stopping() || posts_.size() >= state_->options.limits.calls_in_flight) return 0;
  posts_.emplace(++last_id_, Entry{post, post});
  return last_id_;
}

void Front::leave(std::uint64_t id) {
  std::shared_ptr<Post> gone;  // destroyed outside of the lock
  const MutexLock lock(mutex_);
  const auto found = posts_.find(id);
  if (found != posts_.end()) gone = std::move(found->second.open);
}

void Front::forget(std::uint64_t id) {
  const MutexLock lock(mutex_);
  posts_.erase(id);
}

std::vector<std::shared_ptr<Post>> Front::open_posts() const {
  std::vector<std::shared_ptr<Post>> open;
  const MutexLock lock(mutex_);
  for (const auto& [id, entry] : posts_) {
    if (entry.open) open.push_back(entry.open);
  }
  return open;
}

std::vector<std::shared_ptr<Post>> Front::living_posts() const {
  std::vector<std::shared_ptr<Post>> living;
  const MutexLock lock(mutex_);
  for (const auto& [id, entry] : posts_) {
    if (auto post = entry.post.lock()) living.push_back(std::move(post));
  }
  return living;
}

std::shared_ptr<Post> Front::asked_with(std::string_view prefix) const {
  const auto open = open_posts();
  const auto found = std::ranges::find_if(
      open, [&](const auto& post) { return !prefix.empty() && post->question_prefix() == prefix; });
  return found == open.end() ? nullptr : *found;
}

/// One timer for all: most are answered long before.
void Front::await_answer(std::uint64_t id) {
  const auto until = Clock::now() + times_.stream_after;
  {
    const MutexLock lock(mutex_);
    while (!waiting_.empty() && !is_open(waiting_.front().id)) waiting_.pop_front();
    waiting_.push_back({id, until});
    if (std::exchange(looks_at_waiting_, true)) return;
  }
  look_at_waiting(until);
}

bool Front::is_open(std::uint64_t id) const {
  const auto found = posts_.find(id);
  return found != posts_.end() && found->second.open;
}

void Front::look_at_waiting(Clock::time_point when) {
  engine_->post_at(when, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->begin_streams();
  });
}

void Front::begin_streams() {
  std::vector<std::shared_ptr<Post>> late;
  std::optional<Clock::time_point> next;
  {
    const MutexLock lock(mutex_);
    const auto now = Clock::now();
    for (; !waiting_.empty(); waiting_.pop_front()) {
      if (!is_open(waiting_.front().id)) continue;
      if (waiting_.front().until > now) break;
      late.push_back(posts_.at(waiting_.front().id).open);
    }
    looks_at_waiting_ = !waiting_.empty();
    if (looks_at_waiting_) next = waiting_.front().until;
  }
  for (const auto& post : late) post->become_stream();
  if (next) look_at_waiting(*next);
}

/// One timer for all streams.
void Front::stream_began() {
  {
    const MutexLock lock(mutex_);
    if (std::exchange(keeps_alive_, true)) return;
  }
  engine_->post_at(std::chrono::steady_clock::now() + times_.keep_alive, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->keep_alive();
  });
}

void Front::keep_alive() {
  {
    const MutexLock lock(mutex_);
    keeps_alive_ = false;  // a stream that begins from here on sees to it
  }
  bool any = false;
  for (const auto& post : open_posts()) any = post->keep_alive() || any;
  if (any) stream_began();
}

// For the engine

engine::Source::Outcome Front::wait_and_read() {
  system::Poller::Events events;
  poller_.wait(events, -1);
  return Outcome::nothing;
}

/// Lets none go: the engine holds its lock meanwhile.
bool Front::all_answered() {
  const MutexLock lock(mutex_);
  return std::ranges::all_of(posts_,
                             [](const auto& one) { return !one.second.open || one.second.open->is_answered(); });
}

void Front::stop_reading() {
  stopping_.store(true, std::memory_order_release);
  for (const auto& post : open_posts()) post->stop_reading();
}

void Front::cancel_all() {
  stopping_.store(true, std::memory_order_release);
  for (const auto& post : living_posts()) post->cancel_all();
}

void Front::over() {
  stopping_.store(true, std::memory_order_release);
  for (const auto& post : open_posts()) post->abandon();
  {
    const MutexLock lock(mutex_);
    is_over_ = true;
    ended_.notify_all();
  }
  if (auto when_over = std::exchange(when_over_, nullptr)) when_over();
}

}  // namespace toolwire::http
