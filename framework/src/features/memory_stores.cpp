// The stores of a server in its own memory.
#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "features/memory_nonces.hpp"
#include "toolwire/detail/mutex.hpp"
#include "toolwire/rate_window.hpp"
#include "toolwire/stores.hpp"
#include "types/random_id.hpp"

namespace toolwire {
namespace {

class MemoryNonceStore final : public NonceStore {
 public:
  MemoryNonceStore(std::size_t bound, features::ForgettingClock clock) : nonces_(bound), clock_(std::move(clock)) {}

  void use(std::string_view nonce, std::chrono::system_clock::time_point expires, Done<NonceUse> done) override {
    const bool first = nonces_.use(nonce, expires, clock_.now());
    done(first ? NonceUse::first : NonceUse::again);
  }

 private:
  features::MemoryNonces nonces_;
  const features::ForgettingClock clock_;
};

class MemoryRateStore final : public RateStore {
 public:
  void look(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    done(window_.look(key, per_minute, RateWindow::Clock::now()));
  }
  void charge(const std::string& key, std::int64_t per_minute, Done<Wait> done) override {
    done(window_.charge(key, per_minute, RateWindow::Clock::now()));
  }

 private:
  RateWindow window_;
};

class MemoryOutputStore final : public OutputStore {
 public:
  explicit MemoryOutputStore(std::size_t room) : room_(room) {}

  void keep(std::string_view text, Done<std::string> done) override {
    if (text.size() > room_) return done({});
    Kept kept{types::random_id(), std::make_shared<const std::string>(text)};
    std::string id = kept.id;
    add(std::move(kept));
    done(std::move(id));
  }

  void find(std::string_view id, Done<std::shared_ptr<const std::string>> done) override { done(found(id)); }

 private:
  struct Kept {
    std::string id;
    std::shared_ptr<const std::string> text;
  };

  void add(Kept&& kept) {
    const MutexLock lock(mutex_);
    bytes_ += kept.text->size();
    kept_.push_back(std::move(kept));
    for (; bytes_ > room_; kept_.pop_front()) bytes_ -= kept_.front().text->size();
  }

  std::shared_ptr<const std::string> found(std::string_view id) {
    const MutexLock lock(mutex_);
    const auto found = std::ranges::find(kept_, id, &Kept::id);
    return found == kept_.end() ? nullptr : found->text;
  }

  const std::size_t room_;
  Mutex mutex_;
  std::list<Kept> kept_ TOOLWIRE_GUARDED_BY(mutex_);  // the oldest first
  std::size_t bytes_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

class MemoryEventBus final : public EventBus, public std::enable_shared_from_this<MemoryEventBus> {
 public:
  std::unique_ptr<Member> join(Hearing hearing) override {
    auto member = std::make_unique<OneMember>(shared_from_this(), std::move(hearing));
    const std::scoped_lock lock(mutex_);
    members_.push_back(member.get());
    return member;
  }

 private:
  class OneMember final : public Member {
   public:
    OneMember(std::shared_ptr<MemoryEventBus> bus, Hearing hearing)
        : bus_(std::move(bus)), hearing_(std::move(hearing)) {}
    ~OneMember() override {
      const std::scoped_lock lock(bus_->mutex_);
      bus_->members_.remove(this);
    }
    void tell(const Event& event) override {
      const std::scoped_lock lock(bus_->mutex_);
      for (const OneMember* const other : bus_->members_) {
        if (other != this && other->hearing_.heard) other->hearing_.heard(event);
      }
    }

   private:
    const std::shared_ptr<MemoryEventBus> bus_;
    const Hearing hearing_;
  };

  std::recursive_mutex mutex_;  // a server that hears may tell
  std::list<OneMember*> members_;
};

}  // namespace

std::shared_ptr<EventBus> memory_event_bus() { return std::make_shared<MemoryEventBus>(); }

std::shared_ptr<NonceStore> features::nonces_in_memory(std::size_t bound, ForgettingClock clock) {
  return std::make_shared<MemoryNonceStore>(bound, std::move(clock));
}

std::shared_ptr<NonceStore> memory_nonce_store(std::size_t bound) {
  return features::nonces_in_memory(bound, features::ForgettingClock());
}

std::shared_ptr<RateStore> memory_rate_store() { return std::make_shared<MemoryRateStore>(); }

std::shared_ptr<OutputStore> memory_output_store(std::size_t room) { return std::make_shared<MemoryOutputStore>(room); }

}  // namespace toolwire
