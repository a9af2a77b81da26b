// One SQLite file, and statements on it. Knows nothing of tools.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

struct sqlite3;

/// The first column of each row is text; so are all others.
using Rows = std::vector<std::vector<std::string>>;

/// Thread-safe: tools may be called from several threads at once.
class Database {
 public:
  /// Opens the file, or makes it; ":memory:" is a database of this process alone. Throws std::runtime_error.
  explicit Database(const std::string& file);

  /// Runs one statement with these values for its question marks, and returns at most `max_rows` rows. Throws
  /// std::runtime_error with what SQLite says.
  Rows run(const std::string& statement, const std::vector<std::string>& values = {}, std::size_t max_rows = 100);

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  std::mutex mutex_;
  std::unique_ptr<sqlite3, Close> database_;
};
