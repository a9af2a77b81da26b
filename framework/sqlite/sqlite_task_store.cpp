#include "toolwire/sqlite_task_store.hpp"

#include <stdexcept>
#include <utility>

#include "database.hpp"
#include "statement.hpp"
#include "toolwire/detail/mutex.hpp"

namespace toolwire {
namespace {

using sqlite::Run;
using sqlite::Statement;
using std::chrono::milliseconds;

constexpr std::string_view columns =
    "serial, id, tool, process, start, boot, space, created, updated, ttl, status, message, payload, tool_error";
constexpr std::string_view runs = "status IN ('working', 'input_required')";

std::string selecting(std::string_view condition) {
  return "SELECT " + std::string(columns) + " FROM tasks WHERE " + std::string(condition);
}

/// A task that is over is there until its time to live has passed; `?2` is now.
const std::string not_expired = "(" + std::string(runs) + " OR ttl IS NULL OR ?2 < created OR ?2 - created < ttl)";

std::int64_t number(TaskTime time) { return time.time_since_epoch().count(); }
TaskTime time_of(std::int64_t number) { return TaskTime(milliseconds(number)); }
std::optional<std::int64_t> number(const std::optional<milliseconds>& duration) {
  return duration ? std::optional<std::int64_t>(duration->count()) : std::nullopt;
}

TaskRecord record_in(const Statement& row) {
  TaskRecord task;
  task.serial = static_cast<std::uint64_t>(row.number(0));
  task.id = row.text(1);
  task.tool = row.text(2);
  task.owner = {row.number(3), static_cast<std::uint64_t>(row.number(4)), row.text(5), row.text(6)};
  task.created = time_of(row.number(7));
  task.state.updated = time_of(row.number(8));
  if (!row.is_null(9)) task.state.ttl = milliseconds(row.number(9));
  const auto status = task_status_named(row.text(10));
  if (!status) throw std::runtime_error("the task store holds a task of unknown status \"" + row.text(10) + "\"");
  task.state.status = *status;
  task.state.message = row.text(11);
  task.state.payload = row.text(12);
  task.state.tool_error = row.number(13) != 0;
  return task;
}

class SqliteTaskStore final : public LocalTaskStore {
 public:
  explicit SqliteTaskStore(const std::filesystem::path& file) : database_(file) {}

  bool insert(const TaskRecord& task, std::size_t bound, TaskTime now) override {
    const MutexLock lock(mutex_);
    database_.expect_in_place();
    Transaction transaction(database_, begin_, commit_);
    forget_expired_.again().bind(1, number(now)).run();
    if (count() >= bound) {
      forget_oldest_.again().run();
      if (sqlite3_changes(database_.handle()) == 0) return false;
    }
    insert_.again()
        .bind(0, task.id)
        .bind(1, task.tool)
        .bind(2, task.owner.process)
        .bind(3, static_cast<std::int64_t>(task.owner.start))
        .bind(4, task.owner.boot)
        .bind(5, task.owner.space)
        .bind(6, number(task.created));
    bind_state(insert_, 7, task.state).run();
    transaction.commit();
    return true;
  }

  std::optional<TaskRecord> find(std::string_view id, TaskTime now) override {
    const MutexLock lock(mutex_);
    Run run(find_);
    if (!find_.again().bind(0, id).bind(1, number(now)).step()) return std::nullopt;
    return record_in(find_);
  }

  bool change(std::string_view id, const TaskState& state) override {
    const MutexLock lock(mutex_);
    database_.expect_in_place();
    Run run(change_);
    change_.again().bind(7, id);
    bind_state(change_, 0, state).run();
    return sqlite3_changes(database_.handle()) > 0;
  }

  std::vector<TaskRecord> list(std::uint64_t after, std::size_t limit, TaskTime now) override {
    const MutexLock lock(mutex_);
    Run run(list_);
    list_.again().bind(0, static_cast<std::int64_t>(after)).bind(1, number(now));
    list_.bind(2, static_cast<std::int64_t>(limit));
    std::vector<TaskRecord> page;
    while (list_.step()) page.push_back(record_in(list_));
    return page;
  }

 private:
  /// Undone unless committed. Used under the lock of the store.
  class Transaction {
   public:
    Transaction(sqlite::Database& database, Statement& begin, Statement& commit)
        : database_(database), commit_(commit) {
      begin.again().run();
    }
    ~Transaction() {
      if (!committed_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
    void commit() {
      commit_.again().run();
      committed_ = true;
    }

   private:
    sqlite::Database& database_;
    Statement& commit_;
    bool committed_ = false;
  };

  static Statement& bind_state(Statement& statement, int first, const TaskState& state) {
    return statement.bind(first, number(state.updated))
        .bind(first + 1, number(state.ttl))
        .bind(first + 2, name_of(state.status))
        .bind(first + 3, state.message)
        .bind(first + 4, state.payload)
        .bind(first + 5, static_cast<std::int64_t>(state.tool_error));
  }

  std::size_t count() TOOLWIRE_REQUIRES(mutex_) {
    Run run(count_);
    count_.again().step();
    return static_cast<std::size_t>(count_.number(0));
  }

  Mutex mutex_;
  sqlite::Database database_ TOOLWIRE_GUARDED_BY(mutex_);
  Statement begin_ TOOLWIRE_GUARDED_BY(mutex_){database_.handle(), "BEGIN IMMEDIATE"};
  Statement commit_ TOOLWIRE_GUARDED_BY(mutex_){database_.handle(), "COMMIT"};
  Statement count_ TOOLWIRE_GUARDED_BY(mutex_){database_.handle(), "SELECT count(*) FROM tasks"};
  Statement find_ TOOLWIRE_GUARDED_BY(mutex_){database_.handle(), selecting("id = ?1 AND " + not_expired)};
  Statement list_ TOOLWIRE_GUARDED_BY(mutex_){
      database_.handle(), selecting("serial > ?1 AND " + not_expired + " ORDER BY serial LIMIT ?3")};
  Statement forget_expired_ TOOLWIRE_GUARDED_BY(mutex_){database_.handle(),
                                                        "DELETE FROM tasks WHERE NOT " + not_expired};
  Statement forget_oldest_ TOOLWIRE_GUARDED_BY(mutex_){
      database_.handle(), "DELETE FROM tasks WHERE serial = (SELECT serial FROM tasks WHERE NOT " + std::string(runs) +
                              " ORDER BY serial LIMIT 1)"};
  Statement insert_ TOOLWIRE_GUARDED_BY(mutex_){
      database_.handle(),
      "INSERT INTO tasks (id, tool, process, start, boot, space, created, updated, ttl, status, message, "
      "payload, tool_error) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"};
  Statement change_ TOOLWIRE_GUARDED_BY(mutex_){
      database_.handle(),
      "UPDATE tasks SET updated = ?1, ttl = ?2, status = ?3, message = ?4, payload = ?5, tool_error = ?6 "
      "WHERE id = ?8 AND " +
          std::string(runs)};
};

}  // namespace

std::shared_ptr<LocalTaskStore> sqlite_task_store(const std::filesystem::path& file) {
  return std::make_shared<SqliteTaskStore>(file);
}

}  // namespace toolwire
