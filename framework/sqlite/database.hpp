// The file behind the task store: opened, and brought to the format this version knows. Independent of tasks beyond
// their table.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>

namespace toolwire::sqlite {

/// An open connection. One thread at a time.
class Database {
 public:
  /// Waits up to 5 s for processes that make, open or close the file. Throws std::runtime_error naming the file: it
  /// is no file, damaged, another program's, a later version's, or cannot be written. Then nothing was changed in it or
  /// in the journal beside it.
  explicit Database(const std::filesystem::path& file);
  ~Database() { sqlite3_close_v2(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  sqlite3* handle() const { return handle_; }

  /// Throws std::runtime_error if the file was moved away, removed or replaced since it was opened: what is written
  /// then is seen by nobody else, and gone with this connection.
  void expect_in_place() const;

 private:
  void open_file(const std::filesystem::path& file);
  void execute(const char* sql);
  void check_is_ours(const std::filesystem::path& file);
  void check_size(const std::filesystem::path& file);
  void check_content();
  void make_table();
  std::int64_t number_of(const char* sql);

  sqlite3* handle_ = nullptr;
};

}  // namespace toolwire::sqlite
