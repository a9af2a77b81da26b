#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <stdexcept>
#include <utility>

#include "client.hpp"
#include "kept_task.hpp"
#include "lease.hpp"
#include "read_reply.hpp"
#include "scripts.hpp"
#include "system/random_text.hpp"

namespace toolwire::redis {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kind = "task";
constexpr std::size_t version_parts = 4;          // 128 random bits
constexpr std::size_t page_size = 100;            // below ReplyReader::max_elements with all that is said of a task
constexpr milliseconds kept_longer{60'000};       // than its time to live, for clocks that differ
constexpr milliseconds answers_kept{86'400'000};  // unless the task is over before
constexpr std::size_t most_answers = 500;         // below ReplyReader::max_elements
const Sealing::Time without_end{milliseconds(253'402'300'799'000)};

/// What is found of a task.
struct Found {
  std::string name;
  std::string version;
  KeptTask kept;
  bool has_lease = false;
};
using MaybeFound = std::optional<Found>;
using MaybeTask = std::optional<TaskRecord>;

/// A place in the order of all tasks; nothing for one that only a stranger can have made.
std::optional<std::uint64_t> number_in(const std::string& score) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(score.data(), score.data() + score.size(), number);
  if (error != std::errc() || end != score.data() + score.size()) return std::nullopt;
  return number;
}

/// Of what a script says of a task: name, number, version, record, lease, and whether that is there. Throws
/// std::runtime_error, saying why, for what cannot be opened.
Found found_in(const Sealing& sealing, const std::vector<Reply>& said) {
  if (said.size() != 6) throw std::runtime_error("Redis answers a question for a task with something else");
  const auto text = [&](std::size_t i) -> const std::string& { return said[i].text; };
  const auto sealed = sealing.open(text(0), text(3), {});
  if (sealed.refusal == Sealing::Refusal::unknown_key)
    throw std::runtime_error("a task kept in Redis was sealed with a key that is not named here");
  const auto number = number_in(text(1));
  if (sealed.refusal || !number) throw std::runtime_error("a task kept in Redis was altered");
  Found found{text(0), text(2), kept_task_in(sealed.value), said[5].number == 1};
  found.kept.task.serial = *number;
  if (text(4) != (is_over(found.kept.task.state.status) ? "" : found.kept.lease))
    throw std::runtime_error("a task kept in Redis was altered");
  return found;
}

/// The tasks of all, in one Redis.
class RedisTaskStore final : public TaskStore, public std::enable_shared_from_this<RedisTaskStore> {
 public:
  RedisTaskStore(std::shared_ptr<Client> client, const TaskLimits& limits)
      : client_(std::move(client)),
        order_(client_->sealing().plain_name("tasks")),
        over_(client_->sealing().plain_name("tasks:over")),
        ends_(client_->sealing().plain_name("tasks:ends")),
        last_(client_->sealing().plain_name("tasks:last")),
        missing_(limits.lease),
        lease_(std::make_shared<Lease>(client_, limits.lease, forget())) {}

  void insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) override;
  void find(std::string_view id, TaskTime now, Done<MaybeTask> done) override;
  void change(std::string_view id, const TaskState& state, Done<bool> done) override;
  void list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) override;

  void add_answers(std::string_view id, std::string_view answers, Done<bool> done) override;
  void answers(std::string_view id, std::size_t after, Done<std::vector<std::string>> done) override;

 private:
  class Change;
  class Listing;

  /// What a writer has seen, and how much room there is for something new.
  struct Writing {
    std::string expected = {};
    std::size_t bound = 0;
    TaskTime now = {};
  };

  void look(std::string_view id, Done<MaybeFound> done) const;
  void write(const std::string& name, const KeptTask& kept, const Writing& how, Done<Reply> done) const;
  TaskRecord judged(Found&& found);
  Lease::Forget forget() const;

  const std::shared_ptr<Client> client_;
  const std::string order_, over_, ends_, last_;  // the names of what all tasks share
  MissingLeases missing_;
  const std::shared_ptr<Lease> lease_;
};

Lease::Forget RedisTaskStore::forget() const {
  return [client = client_, order = order_, over = over_, ends = ends_](const std::string& task, Done<bool> done) {
    run(client, forget_task, {task, order, over, ends}, {},
        read_into(std::move(done), [](const Reply&) { return true; }));
  };
}

void RedisTaskStore::write(const std::string& name, const KeptTask& kept, const Writing& how, Done<Reply> done) const {
  const TaskRecord& task = kept.task;
  const bool ends = is_over(task.state.status) && task.state.ttl;
  const auto number = [](auto value) { return std::to_string(value); };
  run(client_, write_task, {name, order_, over_, ends_, last_},
      {how.expected, bridge::random_text(version_parts), client_->sealing().seal(name, text_of(kept), without_end),
       is_over(task.state.status) ? "" : kept.lease,
       ends ? number((task.created + *task.state.ttl).time_since_epoch().count()) : "",
       ends ? number((*task.state.ttl + kept_longer).count()) : "", number(how.bound),
       number(how.now.time_since_epoch().count()), number(lease_->length().count())},
      std::move(done));
}

/// A task whose storing fails may have been stored nevertheless, and nobody will run it.
void RedisTaskStore::insert(const TaskRecord& task, std::size_t bound, TaskTime now, Done<bool> done) {
  const std::string name = client_->sealing().names(kind, task.id).front();
  if (!is_over(task.state.status)) lease_->has_begun(name);
  write(name, {task, lease_->name()}, {.bound = bound, .now = now},
        Done<Reply>([done = std::move(done), lease = lease_, name](Done<Reply>::Result&& result) mutable {
          if (const auto* const why = std::get_if<std::exception_ptr>(&result)) {
            lease->is_uncertain(name);
            return done.fail(*why);
          }
          const Reply& reply = std::get<Reply>(result);
          if (reply.kind == Reply::Kind::error) {
            lease->is_uncertain(name);  // what the script had written before it was refused something stays
          } else if (reply.number != 1) {
            lease->has_ended(name);
          }
          read_into(std::move(done), [](const Reply& written) {
            if (written.number == 0) throw std::runtime_error("there is a task with this id already");
            return written.number == 1;
          })(Reply(reply));
        }));
}

void RedisTaskStore::look(std::string_view id, Done<MaybeFound> done) const {
  run(client_, find_task, client_->sealing().names(kind, id), {order_},
      read_into(std::move(done), [client = client_](const Reply& reply) {
        return reply.list.empty() ? std::nullopt : MaybeFound(found_in(client->sealing(), reply.list));
      }));
}

TaskRecord RedisTaskStore::judged(Found&& found) {
  TaskRecord task = std::move(found.kept.task);
  if (!is_over(task.state.status)) task.owner_runs = missing_.judge(found.kept.lease, found.has_lease);
  return task;
}

void RedisTaskStore::find(std::string_view id, TaskTime now, Done<MaybeTask> done) {
  look(id, Done<MaybeFound>(
               [self = shared_from_this(), now, done = std::move(done)](Done<MaybeFound>::Result&& result) mutable {
                 if (const auto* const why = std::get_if<std::exception_ptr>(&result)) return done.fail(*why);
                 auto& found = std::get<MaybeFound>(result);
                 if (!found || found->kept.task.is_expired(now)) return done(std::nullopt);
                 done(self->judged(std::move(*found)));
               }));
}

/// One change: as often as somebody else was first.
class RedisTaskStore::Change : public std::enable_shared_from_this<Change> {
 public:
  Change(std::shared_ptr<RedisTaskStore> store, std::string_view id, TaskState state, Done<bool> done)
      : store_(std::move(store)), id_(id), state_(std::move(state)), done_(std::move(done)) {}

  void go_on() { store_->look(id_, Done<MaybeFound>::to<&Change::found>(shared_from_this())); }

 private:
  void found(Done<MaybeFound>::Result&& result) {
    if (const auto* const why = std::get_if<std::exception_ptr>(&result)) return done_.fail(*why);
    auto& found = std::get<MaybeFound>(result);
    if (!found) return finish(false);
    TaskState& state = found->kept.task.state;
    if (is_over(state.status)) return finish(false);
    state = state_;
    store_->write(found->name, found->kept, {.expected = found->version},
                  Done<Reply>::to<&Change::written>(shared_from_this()));
  }

  void written(Done<Reply>::Result&& result) try {
    if (const auto* const why = std::get_if<std::exception_ptr>(&result)) return done_.fail(*why);
    if (checked(std::get<Reply>(result)).number != 1) return go_on();
    finish(true);
  } catch (...) {
    done_.fail(std::current_exception());
  }

  void finish(bool is_changed) {
    if (!is_changed || is_over(state_.status))
      store_->lease_->has_ended(store_->client_->sealing().names(kind, id_).front());
    done_(is_changed);
  }

  const std::shared_ptr<RedisTaskStore> store_;
  const std::string id_;
  const TaskState state_;
  Done<bool> done_;
};

void RedisTaskStore::change(std::string_view id, const TaskState& state, Done<bool> done) {
  std::make_shared<Change>(shared_from_this(), id, state, std::move(done))->go_on();
}

/// A list, page by page. What cannot be opened is passed over: one that a stranger has spoilt hides no other.
class RedisTaskStore::Listing : public std::enable_shared_from_this<Listing> {
 public:
  Listing(std::shared_ptr<RedisTaskStore> store, std::uint64_t after, std::size_t count, TaskTime now,
          Done<std::vector<TaskRecord>> done)
      : store_(std::move(store)), after_(std::to_string(after)), count_(count), now_(now), done_(std::move(done)) {}

  void go_on() {
    run(store_->client_, list_tasks, {store_->order_},
        {after_, std::to_string(std::min(page_size, count_ - tasks_.size()))},
        Done<Reply>::to<&Listing::take>(shared_from_this()));
  }

 private:
  void take(Done<Reply>::Result&& result) try {
    if (const auto* const why = std::get_if<std::exception_ptr>(&result)) return done_.fail(*why);
    const Reply& page = checked(std::get<Reply>(result));
    for (const Reply& one : page.list) add(one.list);
    if (page.list.empty() || tasks_.size() >= count_) return done_(std::move(tasks_));
    go_on();
  } catch (...) {
    done_.fail(std::current_exception());
  }

  void add(const std::vector<Reply>& one) {
    if (one.size() != 6) throw std::runtime_error("Redis lists something that is no task");
    after_ = one[1].text;  // as Redis has it: the next page begins behind it, whatever a stranger has put there
    try {
      Found found = found_in(store_->client_->sealing(), one);
      TaskRecord& task = found.kept.task;
      if (!task.is_expired(now_)) tasks_.push_back(store_->judged(std::move(found)));
    } catch (const std::exception&) {
    }
  }

  const std::shared_ptr<RedisTaskStore> store_;
  std::string after_;  // a number
  const std::size_t count_;
  const TaskTime now_;
  Done<std::vector<TaskRecord>> done_;
  std::vector<TaskRecord> tasks_;
};

void RedisTaskStore::list(std::uint64_t after, std::size_t count, TaskTime now, Done<std::vector<TaskRecord>> done) {
  if (count == 0) return done({});
  std::make_shared<Listing>(shared_from_this(), after, count, now, std::move(done))->go_on();
}

std::string answers_of(const std::string& task) { return task + ":answers"; }

/// They stand beside the task, under the name that whoever runs it knows it by.
void RedisTaskStore::add_answers(std::string_view id, std::string_view answers, Done<bool> done) {
  look(id, Done<MaybeFound>([client = client_, answers = std::string(answers),
                             done = std::move(done)](Done<MaybeFound>::Result&& result) mutable {
         if (const auto* const why = std::get_if<std::exception_ptr>(&result)) return done.fail(*why);
         const auto& found = std::get<MaybeFound>(result);
         if (!found || is_over(found->kept.task.state.status)) return done(true);  // nothing is asked any more
         const std::string name = answers_of(found->name);
         run(client, add_answer, {name},
             {client->sealing().seal(name, answers, without_end), std::to_string(answers_kept.count()),
              std::to_string(most_answers)},
             read_into(std::move(done), [](const Reply& reply) {
               if (reply.number != 1) throw std::runtime_error("more answers than a task can have questions");
               return true;
             }));
       }));
}

void RedisTaskStore::answers(std::string_view id, std::size_t after, Done<std::vector<std::string>> done) {
  const std::string name = answers_of(client_->sealing().names(kind, id).front());
  const std::string first = std::to_string(after);
  const std::array<std::string_view, 4> command{"LRANGE", name, first, "-1"};
  client_->ask(command, read_into(std::move(done), [client = client_, name](const Reply& reply) {
                 std::vector<std::string> answers;
                 for (const Reply& one : reply.list) {
                   auto opened = client->sealing().open(name, one.text, {});
                   if (opened.refusal) throw std::runtime_error("an answer kept in Redis was altered");
                   answers.push_back(std::move(opened.value));
                 }
                 return answers;
               }));
}

}  // namespace

std::shared_ptr<TaskStore> task_store(std::shared_ptr<Client> client, const TaskLimits& limits) {
  if (limits.lease < milliseconds(100)) throw std::invalid_argument("a lease must hold for 100 ms at least");
  return std::make_shared<RedisTaskStore>(std::move(client), limits);
}

}  // namespace toolwire::redis
