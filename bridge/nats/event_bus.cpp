// Events between servers, on one subject. Each is sealed, and counts once: a sender numbers what it tells, and a number
// that is not above the last one of its sender tells nothing. One that is too long for a message goes in parts.
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include <toolwire/detail/mutex.hpp>
#include <toolwire/json.hpp>
#include <toolwire/json_members.hpp>

#include "client.hpp"
#include "letter.hpp"
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

/// A piece of the text of something told. A plain value.
struct Part {
  std::string from;
  std::int64_t number = 0;
  bool is_first = false;
  bool is_last = false;
  std::string text;
};

/// The members but the text as JSON, a line feed, which stands in no other text, and the text.
std::string text_of(const Part& part) {
  return to_json_text(JsonArray{part.from, part.number, part.is_first, part.is_last}).append(1, '\n').append(part.text);
}

std::optional<Part> part_in(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return std::nullopt;
  try {
    const Json head = parse_json(std::string_view(text).substr(0, end));
    const JsonArray& members = head.as_array();
    return Part{std::string(members.at(0).as_string()), members.at(1).as_int64(), members.at(2).as_bool(),
                members.at(3).as_bool(), text.substr(end + 1)};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Which numbers senders have used, and the beginnings of what comes in parts. One thread.
class Senders {
 public:
  /// False if what this sender says with this number was told before.
  bool is_new(const std::string& from, std::int64_t number) {
    forget_old();
    Sender& sender = senders_[from];
    if (number <= sender.last) return false;
    sender = {number, now(), {}};
    return true;
  }

  /// What a sender has told with its last part; nothing before, or if a part is missing.
  std::optional<Told> joined(Part&& part) {
    const auto before = senders_.find(part.from);
    std::string begun = part.is_first || before == senders_.end() || before->second.last + 1 != part.number
                            ? std::string()
                            : std::move(before->second.begun);
    if ((!part.is_first && begun.empty()) || !is_new(part.from, part.number)) return std::nullopt;
    begun += part.text;
    if (part.is_last) return told_in(begun);
    senders_[part.from].begun = std::move(begun);
    return std::nullopt;
  }

 private:
  struct Sender {
    std::int64_t last = 0;
    Time heard = {};
    std::string begun = {};
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
          if (const auto text = client->opened(subject, message.payload)) ears->hear(*text, own);
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
    const std::size_t longest = client_->max_payload();
    const std::size_t room = room_for_text(longest);
    const std::string text = text_of(Told{name_, ++last_number_, event});
    if (text.size() <= room || longest == 0) return publish(text);
    for (std::size_t at = 0; at < text.size(); at += room)
      publish(text_of(Part{name_, ++last_number_, at == 0, at + room >= text.size(), text.substr(at, room)}));
  }

 private:
  void publish(const std::string& text) {
    client_->publish(subject_, client_->sealing().seal(subject_, text, now() + lives));
  }

  /// What outlives the member: a message may be on its way to it.
  class Ears {
   public:
    explicit Ears(EventBus::Hearing hearing) : hearing_(std::move(hearing)) {}

    void hear(const std::string& text, const std::string& own) {
      auto told = told_in(text);
      auto part = told ? std::nullopt : part_in(text);
      const MutexLock lock(mutex_);
      if (told && (told->from == own || !senders_.is_new(told->from, told->number))) return;
      if (part && part->from != own) told = senders_.joined(std::move(*part));
      if (told && is_open_ && hearing_.heard) hearing_.heard(told->event);
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
