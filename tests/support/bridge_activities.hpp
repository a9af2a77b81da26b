// Activities that a test controls.
#pragma once

#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/bridge/activity.hpp>

namespace toolwire_test {

/// Answers when the test says so. Thread-safe.
class HeldActivity : public toolwire::bridge::Activity {
 public:
  void start(const toolwire::bridge::Call& call, toolwire::bridge::ActivityContext& context,
             toolwire::Reply reply) override {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
    stops_.push_back(context.stop_token());
    replies_.push_back(std::move(reply));
  }
  std::string_view kind() const override { return "held"; }

  std::size_t started() const {
    const std::lock_guard lock(mutex_);
    return replies_.size();
  }
  toolwire::bridge::Call call(std::size_t index) const {
    const std::lock_guard lock(mutex_);
    return calls_.at(index);
  }
  bool stop_requested(std::size_t index) const {
    const std::lock_guard lock(mutex_);
    return stops_.at(index).stop_requested();
  }
  template <class Answer>
  void answer(std::size_t index, Answer&& with) {
    reply(index)(std::forward<Answer>(with));
  }
  void drop(std::size_t index) { reply(index); }
  void drop_all() {
    std::vector<toolwire::Reply> dropped;
    const std::lock_guard lock(mutex_);
    dropped.swap(replies_);
  }

 private:
  toolwire::Reply reply(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return std::move(replies_.at(index));
  }

  mutable std::mutex mutex_;
  std::vector<toolwire::bridge::Call> calls_;
  std::vector<std::stop_token> stops_;
  std::vector<toolwire::Reply> replies_;
};

}  // namespace toolwire_test
