// set_log_sink: where the messages of a process go, in processes of their own, since a sink is the whole process's.
#include <toolwire/log.hpp>

#define BOOST_TEST_MODULE log_sink_test
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "forked.hpp"
#include "log/log.hpp"
#include "toolwire/system/log_line.hpp"
#include "toolwire/testing.hpp"
#include "toolwire/text.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

constexpr int long_enough = 20'000;  // milliseconds

/// What a sink was given. Thread-safe.
class Kept {
 public:
  LogSink sink() {
    return [this](const LogEntry& entry) {
      const std::lock_guard lock(mutex_);
      entries_.push_back(entry);
    };
  }
  std::vector<LogEntry> all() {
    process::flush_log(long_enough);
    const std::lock_guard lock(mutex_);
    return entries_;
  }

 private:
  std::mutex mutex_;
  std::vector<LogEntry> entries_;
};

/// The status, and what went to stderr.
struct Run {
  explicit Run(const std::function<int()>& run) {
    Forked process{[&] {
      const int result = run();
      process::flush_log(long_enough);
      return result;
    }};
    errors = process.errors();
    status = process.wait();
  }
  std::string errors;
  int status = -1;
};

int entries_of_calls() {
  Kept kept;
  const auto before = std::chrono::system_clock::now();
  set_log_sink(kept.sink());
  Server server({"s", "1"});
  server.tool("fail", "Fails", []() -> std::string { throw std::runtime_error("no disk\x1b[2J"); });
  testing::Client first(server);
  testing::Client second(server);
  first.call("fail");
  second.call("fail");
  const std::vector<LogEntry> entries = kept.all();
  if (entries.size() != 2) return 1;
  for (const LogEntry& entry : entries) {
    if (entry.level != LogLevel::error || entry.tool != "fail" || entry.connection == 0) return 2;
    if (entry.time < before || entry.time > std::chrono::system_clock::now()) return 3;
    if (entry.text != text::visible("tool \"fail\" failed: no disk\x1b[2J")) return 4;
  }
  return entries[0].connection != entries[1].connection ? 0 : 5;
}

int entry_of_a_late_call() {
  Kept kept;
  set_log_sink(kept.sink());
  Server server({"s", "1"});
  server.tool({.name = "slow", .description = "Waits", .timeout = std::chrono::milliseconds(1)}, [](Context& context) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait(lock, context.stop_token(), [] { return false; });
    return "stopped";
  });
  testing::Client(server).call("slow");
  const std::vector<LogEntry> entries = kept.all();
  if (entries.size() != 1 || entries[0].level != LogLevel::warning) return 1;
  return entries[0].tool == "slow" && entries[0].connection > 0 ? 0 : 2;
}

int entry_of_the_program() {
  Kept kept;
  set_log_sink(kept.sink());
  log_line("begun\nnow");
  log_line(LogLevel::critical, "burns");
  const std::vector<LogEntry> entries = kept.all();
  if (entries.size() != 2 || entries[0].text != "begun|now" || entries[0].level != LogLevel::notice) return 1;
  return entries[0].tool.empty() && entries[0].connection == 0 && entries[1].level == LogLevel::critical ? 0 : 2;
}

/// Holds up its sink until it is opened.
class Barrier {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    is_waited_for_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
  }
  void await_waiting() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_waited_for_; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  bool is_waited_for_ = false;
};

int a_stuck_sink() {
  Barrier barrier;
  Kept kept;
  set_log_sink([&, keep = kept.sink()](const LogEntry& entry) {
    barrier.wait();
    keep(entry);
  });
  log_line("first");
  barrier.await_waiting();
  const std::string text(1000, 'x');
  for (int i = 0; i < 1000; ++i) log_line(text);  // nobody waits here
  barrier.open();
  const std::vector<LogEntry> entries = kept.all();
  if (entries.size() < 3 || entries.size() > 400) return 1;
  if (entries[1].text.find("lines were dropped here") == std::string::npos) return 2;
  return std::stoul(entries[1].text) + entries.size() == 1002 ? 0 : 3;
}

int a_sink_that_is_replaced() {
  auto state = std::make_unique<std::atomic<int>>(0);
  Barrier barrier;
  set_log_sink([&](const LogEntry&) {
    barrier.wait();
    ++*state;
  });
  log_line("first");
  barrier.await_waiting();
  std::thread opens([&] { barrier.open(); });
  set_log_sink({});
  const int calls = *state;
  state.reset();  // nobody uses it any more
  opens.join();
  log_line("second");
  return calls == 1 ? 0 : 1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_entry_says_which_tool_and_which_connection) {
  const Run run(entries_of_calls);
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.errors == "");
  BOOST_TEST(Run(entry_of_a_late_call).status == 0);
}

BOOST_AUTO_TEST_CASE(lines_of_the_program_are_entries_too) {
  const Run run(entry_of_the_program);
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.errors == "");
}

BOOST_AUTO_TEST_CASE(without_a_sink_they_are_lines_on_stderr) {
  const Run run([] {
    log_line(LogLevel::critical, "burns");
    log_line("begun");
    return 0;
  });
  BOOST_TEST(run.errors == "toolwire: burns\ntoolwire: begun\n");
}

BOOST_AUTO_TEST_CASE(what_a_sink_throws_at_goes_to_stderr) {
  const Run run([] {
    set_log_sink([](const LogEntry&) { throw std::runtime_error("no network"); });
    log_line("lost");
    return 0;
  });
  BOOST_TEST(run.errors == "toolwire: the log sink has failed: no network\ntoolwire: lost\n");
}

BOOST_AUTO_TEST_CASE(what_a_sink_logs_goes_to_stderr_and_round_in_no_circle) {
  const Run run([] {
    Kept kept;
    set_log_sink([keep = kept.sink()](const LogEntry& entry) {
      log_line("seen: " + entry.text);
      process::flush_log(long_enough);
      keep(entry);
    });
    log_line("hello");
    return kept.all().size() == 1 ? 0 : 1;
  });
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.errors == "toolwire: seen: hello\n");
}

BOOST_AUTO_TEST_CASE(who_logs_does_not_wait_for_a_sink_and_hears_what_was_dropped) {
  BOOST_TEST(Run(a_stuck_sink).status == 0);
}

BOOST_AUTO_TEST_CASE(a_sink_that_was_replaced_is_not_called_any_more) {
  const Run run(a_sink_that_is_replaced);
  BOOST_TEST(run.status == 0);
  BOOST_TEST(run.errors == "toolwire: second\n");
}

BOOST_AUTO_TEST_CASE(a_sink_may_replace_itself) {
  const Run run([] {
    set_log_sink([](const LogEntry&) { set_log_sink({}); });
    log_line("first");
    process::flush_log(long_enough);
    log_line("second");
    return 0;
  });
  BOOST_TEST(run.errors == "toolwire: second\n");
}
