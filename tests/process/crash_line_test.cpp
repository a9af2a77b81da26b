// What a server leaves on stderr when a tool crashes, in processes of their own.
#include <toolwire/server.hpp>

#define BOOST_TEST_MODULE crash_line_test
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "forked.hpp"
#include "scratch_folder.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

constexpr std::array crashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// As a program begins that nobody watches: Boost.Test and sanitizers have handlers of their own.
void begin_afresh() {
  for (const int signal : crashes) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

void fault() {
  void* const page = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  *static_cast<volatile char*>(page) = 1;
}

/// Deep enough for any stack; what the compiler cannot make a loop of.
int overflow(int depth) {  // NOLINT(misc-no-recursion): that is the point
  volatile char room[4096] = {};
  room[depth % 4096] = 1;
  return depth < 0 ? 0 : overflow(depth + 1) + room[0];
}

int crash_in_a_child() {
  const pid_t child = ::fork();
  if (child == 0) {
    std::raise(SIGABRT);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int exit_in_a_child() {
  const pid_t child = ::fork();
  if (child == 0) std::exit(3);  // NOLINT(concurrency-mt-unsafe): that is the point
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

int serve(std::vector<const char*> options = {}, ServerOptions how = {}) {
  Server server({"crashing", "1"}, std::move(how));
  server.tool("fault", "Faults", [] { fault(); });
  server.tool("raise", "Raises", args("signal"), [](int signal) { std::raise(signal); });
  server.tool("abort", "Aborts", [] { std::abort(); });
  server.tool("overflow", "Runs out of stack", [] { return overflow(0); });
  server.tool("apart", "Crashes on a thread of its own", [] { std::thread(fault).join(); });
  server.tool("child", "Crashes in a process of its own", [] { return crash_in_a_child(); });
  server.tool("exit", "Exits", [] { std::exit(3); });  // NOLINT(concurrency-mt-unsafe): that is the point
  server.tool("child_exits", "A process of its own exits", [] { return exit_in_a_child(); });
  options.insert(options.begin(), "crashing");
  return server.run_stdio(static_cast<int>(options.size()), options.data());
}

std::string call(std::string_view tool, std::string_view arguments = "{}") {
  std::string lines = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
                      R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
                      "\n"
                      R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                      "\n"
                      R"({"jsonrpc":"2.0","id":"7a","method":"tools/call","params":{"name":")";
  return lines.append(tool).append(R"(","arguments":)").append(arguments).append("}}\n");
}

/// One call in a process that begins with `prepare`.
struct Run {
  explicit Run(
      std::string_view tool, std::string_view arguments = "{}",
      const std::function<int()>& run = [] { return serve(); }) {
    Forked process{[&] {
      begin_afresh();
      return run();
    }};
    process.send(call(tool, arguments));
    process.close_input();
    errors = process.errors();
    status = process.wait();
  }
  std::string errors;
  int status = 0;
};

std::string line_of(std::string_view signal, std::string_view tool, std::string_view more = "") {
  std::string line = "toolwire: ";
  line.append(signal).append(" in tool \"").append(tool).append("\", request \"7a\" of connection 1").append(more);
  return line.append("\n");
}

constexpr bool is_sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
  return __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
  return false;
#endif
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_crash_says_in_which_call) {
  const Run faulting("fault");
  BOOST_TEST(faulting.errors == line_of("SIGSEGV", "fault"));
  BOOST_TEST(faulting.status == -SIGSEGV);
  const Run aborting("abort");
  BOOST_TEST(aborting.errors == line_of("SIGABRT", "abort"));
  BOOST_TEST(aborting.status == -SIGABRT);
}

BOOST_AUTO_TEST_CASE(a_signal_that_was_sent_ends_the_process_as_ever) {
  for (const int signal : crashes) {
    const Run run("raise", R"({"signal":)" + std::to_string(signal) + "}");
    BOOST_TEST(run.status == -signal);
    BOOST_TEST(run.errors.starts_with("toolwire: SIG"), run.errors);
    BOOST_TEST(run.errors.ends_with(" in tool \"raise\", request \"7a\" of connection 1\n"), run.errors);
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_exits_says_which_it_was) {
  const Run run("exit");
  BOOST_TEST(run.errors == line_of("exit()", "exit"));
  BOOST_TEST(run.status == 3);
  if (is_sanitized()) return;  // which looks for leaks in a forked process, too, and may wait for ever
  const Run forked("child_exits");
  BOOST_TEST(forked.errors == "");
  BOOST_TEST(forked.status == 0);
}

BOOST_AUTO_TEST_CASE(it_says_where_the_trace_is) {
  const ScratchFolder folder;
  const std::string file = (folder / "trace.jsonl").string();
  const Run run("fault", "{}", [&] { return serve({"--trace", file.c_str()}); });
  BOOST_TEST(run.errors == line_of("SIGSEGV", "fault", "; trace: " + file));
}

BOOST_AUTO_TEST_CASE(a_stack_that_has_run_out_leaves_it_too) {
  if (is_sanitized()) return;  // they keep stacks of their own
  const Run run("overflow");
  BOOST_TEST(run.errors == line_of("SIGSEGV", "overflow"));
  BOOST_TEST(run.status == -SIGSEGV);
}

BOOST_AUTO_TEST_CASE(a_crash_of_another_thread_is_nobodys) {
  const Run run("apart");
  BOOST_TEST(run.errors == "toolwire: SIGSEGV outside of all calls\n");
  BOOST_TEST(run.status == -SIGSEGV);
}

BOOST_AUTO_TEST_CASE(a_process_that_a_tool_has_forked_leaves_none) {
  const Run run("child");
  BOOST_TEST(run.errors == "");
  BOOST_TEST(run.status == 0);
}

BOOST_AUTO_TEST_CASE(a_program_keeps_its_handlers) {
  const Run run("abort", "{}", [] {
    std::signal(SIGABRT, [](int) { ::_exit(::write(STDERR_FILENO, "own\n", 4) == 4 ? 3 : 4); });
    return serve();
  });
  BOOST_TEST(run.errors == "own\n");
  BOOST_TEST(run.status == 3);
}

BOOST_AUTO_TEST_CASE(an_embedded_server_leaves_signals_alone) {
  const Run run("abort", "{}", [] { return serve({}, {.threads = 0}); });
  BOOST_TEST(run.errors == "");
  BOOST_TEST(run.status == -SIGABRT);
}

BOOST_AUTO_TEST_CASE(when_it_has_served_all_is_as_before) {
  const Run run("nothing", "{}", [] {
    const int status = serve();
    for (const int signal : crashes) {
      if (std::signal(signal, SIG_DFL) != SIG_DFL) return signal;
    }
    return status;
  });
  BOOST_TEST(run.status == 0);
}

BOOST_AUTO_TEST_CASE(a_stderr_that_nobody_reads_holds_up_no_end) {
  Forked process{[] {
    begin_afresh();
    ::fcntl(STDERR_FILENO, F_SETFL, O_NONBLOCK);
    const std::string much(4096, 'x');
    while (::write(STDERR_FILENO, much.data(), much.size()) > 0) {
    }
    ::fcntl(STDERR_FILENO, F_SETFL, 0);
    return serve();
  }};
  process.send(call("fault"));
  BOOST_TEST(process.wait() == -SIGSEGV);
  BOOST_TEST(process.errors().find("toolwire") == std::string::npos);
}
