#include "traces/exporter.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace toolwire::bridge::traces {

void Exporter::add(Span&& span) noexcept {
  const MutexLock lock(mutex_);
  try {
    if (ended_) {  // the timers may be gone
      ++counts_.lost;
      return;
    }
    if (waiting_.size() >= options_.most)
      return lose(1, why_.empty() ? "they come faster than the collector takes them" : why_);
    waiting_.push_back(std::move(span));
    if (batch_) return;  // the rest follows it
    if (waiting_.size() >= options_.batch) return wake(Clock::duration::zero());
    if (!timer_) wake(options_.delay);
  } catch (...) {  // out of memory
    ++counts_.lost;
    ++unsaid_;
  }
}

/// The next sending is in so much time, in the place of what was planned.
void Exporter::wake(Clock::duration time) {
  if (timer_) timers_.cancel(*timer_);
  timer_ = timers_.after(time, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->send_next();
  });
}

void Exporter::send_next() {
  std::vector<Span> spans;
  {
    const MutexLock lock(mutex_);
    timer_.reset();
    if (sending_ || ended_ || (!batch_ && waiting_.empty())) return;
    sending_ = true;
    if (!batch_) {
      const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(std::min(options_.batch, waiting_.size()));
      spans.assign(std::move_iterator(waiting_.begin()), std::move_iterator(end));
      waiting_.erase(waiting_.begin(), end);
      batch_ = Batch{.count = spans.size(), .first = timers_.now()};
    }
  }
  std::string body = spans.empty() ? std::string() : otlp_text(options_.resource, spans);
  {
    const MutexLock lock(mutex_);
    if (!batch_) return;  // ended meanwhile
    if (!body.empty()) batch_->body = std::move(body);
    body = batch_->body;
    ++batch_->attempts;
  }
  send_(std::move(body), stop_.get_token(), [weak = weak_from_this()](HttpOutcome&& outcome) {
    if (const auto self = weak.lock()) self->sent(outcome);
  });
}

void Exporter::sent(const HttpOutcome& outcome) {
  const MutexLock lock(mutex_);
  sending_ = false;
  if (!batch_) return;  // ended meanwhile
  const Verdict verdict = verdict_on(outcome, batch_->count);
  if (const auto pause = pause_before_another(verdict)) {
    why_ = verdict.why;
    return wake(*pause);
  }
  if (verdict.kind == Verdict::Kind::taken) {
    counts_.exported += batch_->count - verdict.rejected;
    why_.clear();
    if (verdict.rejected > 0) lose(verdict.rejected, verdict.why);
  } else {
    lose(batch_->count, verdict.why);
  }
  batch_.reset();
  if (waiting_.empty()) return idle_.notify_all();
  const bool is_due = ends_ || waiting_.size() >= options_.batch;
  wake(is_due ? Clock::duration::zero() : Clock::duration(options_.delay));
}

/// Nothing if the batch is not sent again.
std::optional<Timers::Clock::duration> Exporter::pause_before_another(const Verdict& verdict) const {
  if (verdict.kind != Verdict::Kind::try_again) return std::nullopt;
  Clock::duration pause = options_.first_pause;
  for (int i = 1; i < batch_->attempts && pause < options_.max_pause; ++i) pause *= 2;
  if (verdict.wait) pause = std::max<Clock::duration>(*verdict.wait, std::chrono::milliseconds(1));
  pause = std::min<Clock::duration>(pause, options_.max_pause);
  const auto last = std::min(batch_->first + options_.patience, ends_.value_or(Clock::time_point::max()));
  return timers_.now() + pause < last ? std::optional(pause) : std::nullopt;
}

void Exporter::lose(std::uint64_t count, const std::string& why) {
  counts_.lost += count;
  unsaid_ += count;
  why_ = why;
  const Clock::time_point now = timers_.now();
  if (!said_ || now - *said_ >= options_.between_words) return say_what_is_lost();
  if (to_be_said_) return;
  to_be_said_ = timers_.at(*said_ + options_.between_words, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    const MutexLock lock(self->mutex_);
    self->to_be_said_.reset();
    self->say_what_is_lost();
  });
}

void Exporter::say_what_is_lost() {
  if (unsaid_ == 0 || !options_.log) return;
  said_ = timers_.now();
  options_.log("traces: spans lost: " + std::to_string(std::exchange(unsaid_, 0)) + ", by now " +
               std::to_string(counts_.lost) + ": " + why_);
}

void Exporter::end(std::chrono::milliseconds time) {
  std::deque<Span> left;
  {
    MutexLock lock(mutex_);
    if (ended_) return;
    ends_ = timers_.now() + time;
    if (!sending_ && (batch_ || !waiting_.empty())) wake(Clock::duration::zero());
    idle_.wait_for(lock, time, [this]() TOOLWIRE_REQUIRES(mutex_) { return !batch_ && waiting_.empty(); });
    ended_ = true;
    const std::size_t count = waiting_.size() + (batch_ ? batch_->count : 0);
    if (count > 0) lose(count, why_.empty() ? "the collector has not answered before the end" : why_);
    say_what_is_lost();
    batch_.reset();
    left.swap(waiting_);
    for (auto& timer : {std::exchange(timer_, std::nullopt), std::exchange(to_be_said_, std::nullopt)}) {
      if (timer) timers_.cancel(*timer);
    }
  }
  stop_.request_stop();
}

Exporter::Counts Exporter::counts() const {
  const MutexLock lock(mutex_);
  return counts_;
}

}  // namespace toolwire::bridge::traces
