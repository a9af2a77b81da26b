// One SQL statement, prepared once and run many times. Independent of tasks.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace toolwire::sqlite {

/// Another connection holds a lock on the file.
struct Busy : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws std::runtime_error with the database's message; Busy if that is the reason.
[[noreturn]] void fail(sqlite3* database, std::string_view what);

/// Columns and parameters count from 0. One thread at a time; the database must outlive it.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Ready for the next run; what was bound is gone. Texts that are bound must live until the run is over.
  Statement& again();
  Statement& bind(int parameter, std::string_view text);
  Statement& bind(int parameter, std::int64_t number);
  Statement& bind(int parameter, std::optional<std::int64_t> number);

  /// Goes to the next row; false when there is none. Throws std::runtime_error.
  bool step();
  /// Runs it to its end.
  void run() {
    while (step()) {
    }
  }

  std::string text(int column) const;
  std::int64_t number(int column) const { return sqlite3_column_int64(statement_, column); }
  bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

 private:
  void check(int status) const;
  sqlite3_stmt* statement_ = nullptr;
  sqlite3* database_;
};

/// Ends a run when it goes out of scope, so that no read stays open.
class Run {
 public:
  explicit Run(Statement& statement) : statement_(statement) {}
  ~Run() { statement_.again(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

 private:
  Statement& statement_;
};

}  // namespace toolwire::sqlite
