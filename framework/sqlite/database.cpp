#include "database.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <toolwire/system/private_file.hpp>
#include <utility>

#include "statement.hpp"

namespace toolwire::sqlite {
namespace {

constexpr int wait_ms = 250;  // for another process that writes; the thread that reads the connection waits meanwhile
constexpr std::chrono::seconds opening_patience{5};  // for processes that make, open or close the file at the same time
constexpr std::chrono::milliseconds opening_pause{2};
constexpr int format = 1;  // user_version of the file

constexpr const char* table = R"(
  CREATE TABLE IF NOT EXISTS tasks (
    serial INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    tool TEXT NOT NULL,
    process INTEGER NOT NULL,
    start INTEGER NOT NULL,
    boot TEXT NOT NULL,
    space TEXT NOT NULL,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    ttl INTEGER,
    status TEXT NOT NULL,
    message TEXT NOT NULL,
    payload TEXT NOT NULL,
    tool_error INTEGER NOT NULL
  ) STRICT)";

/// Results are private; SQLite itself would create the file for everybody the umask allows.
void make_private_file(const std::filesystem::path& file) {
  std::error_code ignored;  // what cannot be made shows with the file
  std::filesystem::path made;
  for (const auto& step : file.parent_path()) {
    made /= step;
    if (std::filesystem::create_directory(made, ignored)) {
      std::filesystem::permissions(made, std::filesystem::perms::owner_all, ignored);
    }
  }
  errno = 0;
  system::make_private_file(file.string());
  const int reason = errno;
  if (reason != 0 && !std::filesystem::exists(file, ignored))
    throw std::runtime_error("it cannot be made: " + std::generic_category().message(reason));
}

std::filesystem::path journal_of(const std::filesystem::path& file) { return file.string() + "-wal"; }

bool has_bytes(const std::filesystem::path& file) {
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(file, missing);
  return !missing && size > 0;
}

void check_is_file(const std::filesystem::path& file) {
  std::error_code missing;
  const auto status = std::filesystem::status(file, missing);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw std::runtime_error("it is no file; expected a file that is not there yet, or a task store");
}

/// SQLite takes the journal of a file that has nothing in it for one that is left over, and removes it. The journal is
/// looked at first: who makes a store makes the file first.
void check_has_its_file(const std::filesystem::path& file) {
  const std::filesystem::path journal = journal_of(file);
  if (has_bytes(journal) && !has_bytes(file))
    throw std::runtime_error("it is missing or empty, but there is its journal, " + journal.string() +
                             "; expected both, or neither");
}

std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

Database::Database(const std::filesystem::path& file) {
  if (file.empty()) throw std::runtime_error("the task store: expected the name of a file");
  const auto last_try = std::chrono::steady_clock::now() + opening_patience;
  for (;;) {
    try {
      open_file(file);
      return;
    } catch (const std::runtime_error& error) {
      sqlite3_close_v2(std::exchange(handle_, nullptr));
      // SQLite itself does not wait for the lock that a change of the journal mode takes.
      const bool busy = dynamic_cast<const Busy*>(&error) != nullptr;
      if (!busy || std::chrono::steady_clock::now() > last_try)
        throw std::runtime_error("the task store " + file.string() + ": " + error.what());
    }
    std::this_thread::sleep_for(opening_pause);
  }
}

void Database::open_file(const std::filesystem::path& file) {
  constexpr int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  check_is_file(file);
  check_has_its_file(file);
  make_private_file(file);
  // Some names that are no path, as ":memory:", mean no file to SQLite.
  const std::filesystem::path path = std::filesystem::absolute(file);
  if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) != SQLITE_OK) fail(handle_, "it cannot be opened");
  sqlite3_busy_timeout(handle_, wait_ms);
  // A file that is refused gets nothing from the journal that a killed process has left.
  const bool has_journal = has_bytes(journal_of(file));
  if (has_journal) sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // Readers and a writer do not wait for each other, and a commit does not wait for the disk: after a crash of the
  // machine the last moments may be missing, after one of the process nothing is.
  check_is_ours(file);
  execute("PRAGMA journal_mode=WAL");
  execute("PRAGMA synchronous=NORMAL");
  make_table();
  if (has_journal) sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
}

void Database::expect_in_place() const {
  int has_moved = 0;
  const int status = sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
  if (status == SQLITE_OK && has_moved != 0)
    throw std::runtime_error("its file " + std::string(sqlite3_db_filename(handle_, "main")) +
                             " was moved away, removed or replaced while it was open; expected it to stay where it is "
                             "until this program has ended");
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_, "it cannot be used");
}

std::int64_t Database::number_of(const char* sql) {
  Statement statement(handle_, sql);
  return statement.step() ? statement.number(0) : 0;
}

// Before anything is written, also to the journal.
void Database::check_is_ours(const std::filesystem::path& file) {
  execute("BEGIN");  // one moment for all questions, as another process may be making the file
  check_content();
  check_size(file);
  execute("COMMIT");
}

// SQLite takes what is shorter than a page for a new file, and does not miss the end of the last one.
void Database::check_size(const std::filesystem::path& file) {
  const auto page = static_cast<std::uintmax_t>(number_of("PRAGMA page_size"));
  const std::uintmax_t size = std::filesystem::file_size(file);
  if (size % page != 0)
    throw std::runtime_error("it is damaged: of its last page a part is missing (it has " + std::to_string(size) +
                             " bytes; pages have " + std::to_string(page) + ")");
}

void Database::check_content() {
  const std::int64_t found = number_of("PRAGMA user_version");
  if (found > format)
    throw std::runtime_error("it was written by a later version (format " + std::to_string(found) + ")");
  const bool has_tasks = number_of("SELECT count(*) FROM sqlite_master WHERE name = 'tasks'") > 0;
  const bool has_others = number_of("SELECT count(*) FROM sqlite_master") > 0;
  if (found < 0 || (found == format && !has_tasks) || (found == 0 && has_others))
    throw std::runtime_error(
        "it is the database of another program; expected a file that is not there yet, or a task store");
  if (sqlite3_db_readonly(handle_, "main") == 1)
    throw std::runtime_error("it can only be read; expected a file and a folder that this user may write");
  Statement check(handle_, "PRAGMA quick_check(1)");
  if (check.step() && check.text(0) != "ok") throw std::runtime_error("it is damaged: " + in_one_line(check.text(0)));
}

// Writes in any case, so that a full disk shows now and not with the first task.
void Database::make_table() {
  execute("BEGIN IMMEDIATE");  // processes that start at the same time take turns
  try {
    execute(table);
    execute("PRAGMA user_version=1");
    execute("COMMIT");
  } catch (const std::runtime_error&) {
    sqlite3_exec(handle_, "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

}  // namespace toolwire::sqlite
