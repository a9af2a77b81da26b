// The effect of a call: counts it in a database, so that one that is done twice is seen. It takes a while before and
// after.
//
// usage: toolwire-bench-effect DATABASE CALL MILLISECONDS
#include <sqlite3.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

constexpr int patience = 30'000;  // milliseconds, for others that count

void count(const char* file, const char* call) {
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(file, &opened, SQLITE_OPEN_READWRITE, nullptr);
  const std::unique_ptr<sqlite3, decltype(&sqlite3_close)> database(opened, sqlite3_close);
  if (status != SQLITE_OK) throw std::runtime_error("the database cannot be opened");
  sqlite3_busy_timeout(opened, patience);
  sqlite3_stmt* prepared = nullptr;
  sqlite3_prepare_v2(opened, "INSERT INTO effects VALUES (?, 1) ON CONFLICT (call) DO UPDATE SET times = times + 1", -1,
                     &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> statement(prepared, sqlite3_finalize);
  sqlite3_bind_text(prepared, 1, call, -1, SQLITE_STATIC);
  if (sqlite3_step(prepared) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(opened));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::runtime_error("expected DATABASE CALL MILLISECONDS");
    const std::chrono::milliseconds half(std::stoi(argv[3]) / 2);
    std::this_thread::sleep_for(half);
    count(argv[1], argv[2]);
    std::this_thread::sleep_for(half);
    std::puts("done");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "toolwire-bench-effect: %s\n", error.what());
    return 1;
  }
}
