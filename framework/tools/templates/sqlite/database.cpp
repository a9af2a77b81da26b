#include "database.hpp"

#include <sqlite3.h>

#include <stdexcept>

namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

[[noreturn]] void fail(sqlite3* database) { throw std::runtime_error(sqlite3_errmsg(database)); }

std::vector<std::string> row_of(sqlite3_stmt* statement) {
  std::vector<std::string> row;
  for (int column = 0; column < sqlite3_column_count(statement); ++column) {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    const auto bytes = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    row.push_back(text == nullptr ? std::string() : std::string(text, bytes));
  }
  return row;
}

}  // namespace

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Database::Database(const std::string& file) {
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  database_.reset(opened);
  if (status != SQLITE_OK) throw std::runtime_error(file + ": " + sqlite3_errstr(status));
  sqlite3_busy_timeout(opened, 5000);
}

Rows Database::run(const std::string& statement, const std::vector<std::string>& values, std::size_t max_rows) {
  const std::lock_guard lock(mutex_);
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(database_.get(), statement.c_str(), -1, &prepared, nullptr) != SQLITE_OK)
    fail(database_.get());
  const std::unique_ptr<sqlite3_stmt, Finalize> owner(prepared);
  int place = 0;
  for (const std::string& value : values) {
    if (sqlite3_bind_text64(prepared, ++place, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8) != SQLITE_OK)
      fail(database_.get());
  }
  Rows rows;
  int status = SQLITE_ROW;
  while (rows.size() < max_rows && (status = sqlite3_step(prepared)) == SQLITE_ROW) rows.push_back(row_of(prepared));
  if (status != SQLITE_ROW && status != SQLITE_DONE) fail(database_.get());
  return rows;
}
