#include "http/scenarios.hpp"

#include <algorithm>

namespace toolwire::bridge {

Scenarios::Scenarios(std::vector<ScenarioSettings> scenarios, Send send, std::shared_ptr<Engine> engine)
    : send_(std::move(send)), loop_(std::move(engine)) {
  for (ScenarioSettings& settings : scenarios) {
    caches_.emplace_back(std::move(settings));
    views_.push_back(caches_.back().view());
  }
  under_way_.resize(caches_.size());
}

Scenarios::~Scenarios() {
  loop_.stop();
  stop_.request_stop();
  MutexLock lock(mutex_);
  changed_.wait(lock, [&]() TOOLWIRE_REQUIRES(mutex_) { return pending_ == 0; });
}

void Scenarios::start(std::function<void()> changed) {
  on_change_ = std::move(changed);
  loop_.post([this] { send_due(); });
}

void Scenarios::wait_for_first() {
  MutexLock lock(mutex_);
  changed_.wait(lock, [&]() TOOLWIRE_REQUIRES(mutex_) { return all_told_ || views_.empty(); });
}

std::vector<ScenarioView> Scenarios::views() const {
  const MutexLock lock(mutex_);
  return views_;
}

void Scenarios::take_round() {
  Answers answers;
  {
    const MutexLock lock(mutex_);
    answers.swap(answers_);
  }
  if (take_answers(std::move(answers)) && on_change_) on_change_();
  note_first();
  send_due();
}

void Scenarios::note_first() {
  const MutexLock lock(mutex_);
  all_told_ = all_told_ || std::ranges::none_of(views_, [](const ScenarioView& view) {
                return view.state == ScenarioView::State::unknown;
              });
  changed_.notify_all();
}

/// Asks those whose time it is, and looks again when it is that of the next.
void Scenarios::send_due() {
  const auto now = ScenarioCache::Clock::now();
  for (std::size_t index = 0; index < caches_.size(); ++index) {
    if (under_way_[index] || caches_[index].due() > now) continue;
    under_way_[index] = true;
    {
      const MutexLock lock(mutex_);
      ++pending_;
    }
    send_(caches_[index].request(now), stop_.get_token(), [this, index](HttpOutcome&& outcome) {
      const MutexLock lock(mutex_);
      answers_.emplace_back(index, std::move(outcome));
      if (answers_.size() == 1) loop_.post([this] { take_round(); });
      --pending_;
      changed_.notify_all();  // under the lock: once it is free this object may be gone
    });
  }
  if (timer_) loop_.cancel(*timer_);
  timer_ = loop_.at(next_due(), [this] {
    timer_.reset();
    send_due();
  });
}

bool Scenarios::take_answers(Answers&& answers) {
  bool changed = false;
  for (auto& [index, outcome] : answers) {
    under_way_[index] = false;
    changed = caches_[index].take(std::move(outcome), ScenarioCache::Clock::now()) || changed;
    const MutexLock lock(mutex_);
    views_[index] = caches_[index].view();
  }
  return changed;
}

ScenarioCache::Clock::time_point Scenarios::next_due() const {
  auto next = ScenarioCache::Clock::now() + std::chrono::hours(1);
  for (std::size_t index = 0; index < caches_.size(); ++index) {
    if (!under_way_[index]) next = std::min(next, caches_[index].due());
  }
  return next;
}

}  // namespace toolwire::bridge
