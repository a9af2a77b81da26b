#include "statement.hpp"

#include <system_error>

namespace toolwire::sqlite {

void fail(sqlite3* database, std::string_view what) {
  std::string text = std::string(what) + ": " + sqlite3_errmsg(database);
  const int code = sqlite3_errcode(database);
  const bool is_of_system = code == SQLITE_CANTOPEN || code == SQLITE_IOERR;
  if (const int reason = sqlite3_system_errno(database); is_of_system && reason != 0)
    text += ": " + std::generic_category().message(reason);
  if (code == SQLITE_BUSY || code == SQLITE_PROTOCOL) throw Busy(text);
  throw std::runtime_error(text);
}

Statement::Statement(sqlite3* database, std::string_view sql) : database_(database) {
  check(sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &statement_,
                           nullptr));
}

Statement& Statement::again() {
  sqlite3_reset(statement_);  // returns the error of the run before, which was reported then
  sqlite3_clear_bindings(statement_);
  return *this;
}

Statement& Statement::bind(int parameter, std::string_view text) {
  // A view of nothing may have no address, which SQLite takes for NULL.
  const char* bytes = text.data() != nullptr ? text.data() : "";
  check(sqlite3_bind_text64(statement_, parameter + 1, bytes, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int parameter, std::int64_t number) {
  check(sqlite3_bind_int64(statement_, parameter + 1, number));
  return *this;
}

Statement& Statement::bind(int parameter, std::optional<std::int64_t> number) {
  if (number) return bind(parameter, *number);
  check(sqlite3_bind_null(statement_, parameter + 1));
  return *this;
}

bool Statement::step() {
  const int status = sqlite3_step(statement_);
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) fail(database_, "the task store cannot be used");
  return false;
}

std::string Statement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes != nullptr ? std::string(reinterpret_cast<const char*>(bytes), size) : std::string();
}

void Statement::check(int status) const {
  if (status != SQLITE_OK) fail(database_, "the task store cannot be used");
}

}  // namespace toolwire::sqlite
