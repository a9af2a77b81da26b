// Events between servers, on one subject. Each is sealed, and counts once: a sender numbers what it tells, and a number
// that is not above the last one of its sender tells nothing.
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include <toolwire/detail/mutex.hpp>
#include <toolwire/json.hpp>
#include <toolwire/json_members.hpp>

#include "client.hpp"
#include "system/random_text.hpp"

namespace toolwire::nats {
namespace {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

/// As long as clocks may differ, and longer than any message is on its way.
constexpr std::chrono::minutes lives{5};
constexpr std::size_t max_senders = 10'000;
constexpr std::size_t name_parts = 4;
constexpr auto last_kind = static_cast<std::int64_t>(Event::Kind::task_wake_up);

Time now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

/// What is told, as text. A plain value.
struct Told {
  std::string from;
  std::int64_t number = 0;
  Event event;
};

std::string text_of(const Told& told) {
  return to_json_text(JsonArray{told.from, told.number, static_cast<std::int64_t>(told.event.kind), told.event.subject,
                                told.event.params});
}

/// Nothing if another program, or a later one, says something else.
std::optional<Told> told_in(const std::string& text) {
  try {
    const Json json = parse_json(text);
    const JsonArray& parts = json.as_array();
    const std::int64_t kind = parts.at(2).as_int64();
    if (kind < 0 || kind > last_kind) return std::nullopt;
    return Told{
        std::string(parts.at(0).as_string()),
        parts.at(1).as_int64(),
        {static_cast<Event::Kind>(kind), std::string(parts.at(3).as_string()), std::string(parts.at(4).as_string())}};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Which numbers senders have used. One thread.
class Senders {
 public:
  /// False if what this sender says with this number was told before.
  bool is_new(const std::string& from, std::int64_t number) {
    forget_old();
    Sender& sender = senders_[from];
    if (number <= sender.last) return false;
    sender = {number, now()};
    return true;
  }

 private:
  struct Sender {
    std::int64_t last = 0;
    Time heard = {};
  };

  /// What they said is refused by its age, too.
  void forget_old() {
    if (senders_.size() < max_senders) return;
    std::erase_if(senders_, [limit = now() - 2 * lives](const auto& one) { return one.second.heard < limit; });
    if (senders_.size() >= max_senders) senders_.clear();
  }

  std::map<std::string, Sender> senders_;
};

class NatsMember final : public EventBus::Member {
 public:
  NatsMember(std::shared_ptr<Client> client, EventBus::Hearing hearing)
      : client_(std::move(client)),
        subject_(client_->subject("events")),
        ears_(std::make_shared<Ears>(std::move(hearing))) {
    subscription_ = client_->subscribe(
        subject_, {}, [ears = ears_, client = client_.get(), subject = subject_, own = name_](Message&& message) {
          const auto opened = client->sealing().open(subject, message.payload, now());
          if (const auto told = opened.refusal ? std::nullopt : told_in(opened.value); told && told->from != own)
            ears->hear(*told);
        });
    watcher_ = client_->watch({.ready = [ears = ears_] { ears->ready(); },
                               .lost = [ears = ears_](const std::string&) { ears->lost(); },
                               .missed = [ears = ears_] { ears->missed(); }});
  }
  ~NatsMember() override {
    client_->unsubscribe(subscription_);
    client_->forget(watcher_);
    ears_->close();
  }

  void tell(const Event& event) override {
    const MutexLock lock(mutex_);
    const std::string text = text_of({name_, ++last_number_, event});
    client_->publish(subject_, client_->sealing().seal(subject_, text, now() + lives));
  }

 private:
  /// What outlives the member: a message may be on its way to it.
  class Ears {
   public:
    explicit Ears(EventBus::Hearing hearing) : hearing_(std::move(hearing)) {}

    void hear(const Told& told) {
      const MutexLock lock(mutex_);
      if (is_open_ && senders_.is_new(told.from, told.number) && hearing_.heard) hearing_.heard(told.event);
    }
    void lost() {
      const MutexLock lock(mutex_);
      was_lost_ = true;
    }
    void ready() {
      {
        const MutexLock lock(mutex_);
        if (!std::exchange(was_lost_, false)) return;
      }
      missed();
    }
    void missed() {
      const MutexLock lock(mutex_);
      if (is_open_ && hearing_.missed) hearing_.missed();
    }
    /// Waits for what is heard at this moment.
    void close() {
      const MutexLock lock(mutex_);
      is_open_ = false;
    }

   private:
    const EventBus::Hearing hearing_;
    Mutex mutex_;
    bool is_open_ TOOLWIRE_GUARDED_BY(mutex_) = true;
    bool was_lost_ TOOLWIRE_GUARDED_BY(mutex_) = false;
    Senders senders_ TOOLWIRE_GUARDED_BY(mutex_);
  };

  const std::shared_ptr<Client> client_;
  const std::string subject_;
  const std::string name_ = bridge::random_text(name_parts);
  const std::shared_ptr<Ears> ears_;
  std::uint64_t subscription_ = 0;
  std::uint64_t watcher_ = 0;
  Mutex mutex_;
  std::int64_t last_number_ TOOLWIRE_GUARDED_BY(mutex_) = 0;
};

class NatsEventBus final : public EventBus {
 public:
  explicit NatsEventBus(std::shared_ptr<Client> client) : client_(std::move(client)) {}
  std::unique_ptr<Member> join(Hearing hearing) override {
    return std::make_unique<NatsMember>(client_, std::move(hearing));
  }

 private:
  const std::shared_ptr<Client> client_;
};

}  // namespace

std::shared_ptr<EventBus> event_bus(std::shared_ptr<Client> client) {
  return std::make_shared<NatsEventBus>(std::move(client));
}

}  // namespace toolwire::nats
