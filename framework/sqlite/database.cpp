#include "database.hpp"

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
  std::error_code ignored;  // what cannot be made shows when the file is opened
  std::filesystem::path made;
  for (const auto& step : file.parent_path()) {
    made /= step;
    if (std::filesystem::create_directory(made, ignored)) {
      std::filesystem::permissions(made, std::filesystem::perms::owner_all, ignored);
    }
  }
  system::make_private_file(file.string());
}

}  // namespace

Database::Database(const std::filesystem::path& file) {
  make_private_file(file);
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
  if (sqlite3_open_v2(file.c_str(), &handle_, flags, nullptr) != SQLITE_OK) fail(handle_, "it cannot be opened");
  sqlite3_busy_timeout(handle_, wait_ms);
  // Readers and a writer do not wait for each other, and a commit does not wait for the disk: after a crash of the
  // machine the last moments may be missing, after one of the process nothing is.
  execute("PRAGMA journal_mode=WAL");
  execute("PRAGMA synchronous=NORMAL");
  make_table();
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(handle_, "it cannot be used");
}

void Database::make_table() {
  Statement version(handle_, "PRAGMA user_version");
  version.step();
  const std::int64_t found = version.number(0);
  version.again();
  if (found > format)
    throw std::runtime_error("it was written by a later version (format " + std::to_string(found) + ")");
  if (found == format) return;
  execute("BEGIN IMMEDIATE");  // processes that start at the same time take turns
  execute(table);
  execute("PRAGMA user_version=1");
  execute("COMMIT");
}

}  // namespace toolwire::sqlite
