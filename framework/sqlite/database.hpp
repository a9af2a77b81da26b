// The file behind the task store: opened, and brought to the format this version knows. Independent of tasks beyond
// their table.
#pragma once

#include <sqlite3.h>

#include <filesystem>

namespace toolwire::sqlite {

/// An open connection. One thread at a time.
class Database {
 public:
  /// Waits up to 5 s for processes that make, open or close the file. Throws std::runtime_error naming the file.
  explicit Database(const std::filesystem::path& file);
  ~Database() { sqlite3_close_v2(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* handle() const { return handle_; }

 private:
  void open_file(const std::filesystem::path& file);
  void execute(const char* sql);
  void make_table();

  sqlite3* handle_ = nullptr;
};

}  // namespace toolwire::sqlite
