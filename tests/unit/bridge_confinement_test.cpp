#include "confinement/confinement.hpp"

#define BOOST_TEST_MODULE bridge_confinement
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <toolwire/system/file_descriptor.hpp>
#include <vector>

#include "confined_script.hpp"
#include "confinement_attacks.hpp"

namespace {

using namespace toolwire_test;

constexpr FileAccess all_file_accesses[] = {FileAccess::all, FileAccess::read_only, FileAccess::workspace};

/// A server on the loopback address that nobody answers for: a connection to it succeeds.
class Listener {
 public:
  Listener() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    BOOST_REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&address), size) == 0);
    BOOST_REQUIRE(::listen(socket_, 16) == 0);
    BOOST_REQUIRE(::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { ::close(socket_); }
  std::string port() const { return std::to_string(port_); }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::uint16_t port_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(an_endless_loop_in_c_that_ignores_signals_is_stopped_at_its_deadline) {
  const ScratchFolder folder;
  const char* const loop =
      "import signal, itertools\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nany(itertools.repeat(0))";
  const ProcessEnd end = run({.text = loop, .confinement = strict(folder.text()), .time = std::chrono::seconds(1)});
  BOOST_TEST(end.code == "timeout", end.text);
}

// Every call that names a process and is not for signals. Unconfined they succeed, or fail for another reason.
BOOST_AUTO_TEST_CASE(nothing_is_set_or_read_of_other_processes) {
  const Confinement confined{.network = NetworkAccess::none, .programs = ProgramAccess::none};
  const Bystander other;
  for (const auto& [number, arguments] : calls_on_process(other.id())) {
    BOOST_TEST(attempt(system_call(number, arguments), {}) == "done", number << ": " << arguments);
    BOOST_TEST(attempt(system_call(number, arguments), confined) == "EPERM", number << ": " << arguments);
  }
  for (const auto& [number, arguments] : further_calls_on_process(other.id()))
    BOOST_TEST(attempt(system_call(number, arguments), confined) == "EPERM", number << ": " << arguments);
}

BOOST_AUTO_TEST_CASE(a_program_sets_what_is_its_own) {
  const Confinement confined{.network = NetworkAccess::none, .programs = ProgramAccess::none};
  BOOST_TEST(attempt("os.nice(1); os.setpriority(os.PRIO_PROCESS, 0, 5)", confined) == "done");
  BOOST_TEST(attempt("os.sched_setaffinity(0, os.sched_getaffinity(0))", confined) == "done");
  BOOST_TEST(attempt("import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))", confined) == "done");
}

BOOST_AUTO_TEST_CASE(shared_memory_of_others_is_not_removed_without_network) {
  const int segment = ::shmget(IPC_PRIVATE, 4096, 0600);
  BOOST_REQUIRE(segment >= 0);
  const std::string remove = system_call(SYS_shmctl, std::to_string(segment) + ", 0, None");
  BOOST_TEST(attempt(remove, {.network = NetworkAccess::none}) == "EACCES");
  BOOST_TEST(attempt(remove, {}) == "done");
}

BOOST_AUTO_TEST_CASE(output_without_end_is_stopped) {
  const ScratchFolder folder;
  const char* const loop = "while True: print('x' * 1000)";
  BOOST_TEST(run({.text = loop, .confinement = strict(folder.text())}).code == "too_large");
}

BOOST_AUTO_TEST_CASE(memory_beyond_the_limit_is_refused_and_the_limit_stays) {
  const ScratchFolder folder;
  const char* const bomb = "try:\n  bytearray(1 << 30); print('done')\nexcept MemoryError: print('refused')";
  Confinement limited = strict(folder.text());
  limited.limits.memory = 512 << 20;
  BOOST_TEST(run({.text = bomb}).output == "done\n");
  BOOST_TEST(run({.text = bomb, .confinement = limited}).output == "refused\n");
  const std::string raise =
      "import resource as r\nfor k in (r.RLIMIT_AS, r.RLIMIT_CORE):\n"
      "  try: r.setrlimit(k, (r.RLIM_INFINITY,) * 2); print('raised')\n  except (ValueError, OSError): print('kept')";
  BOOST_TEST(run({.text = raise, .confinement = limited}).output == "kept\nkept\n");
  limited.limits.memory_count = MemoryCount::private_data;
  BOOST_TEST(run({.text = bomb, .confinement = limited}).output == "refused\n");
  BOOST_TEST(attempt("os.memfd_create('x')", limited) == "ENOSYS");
}

BOOST_AUTO_TEST_CASE(files_have_no_more_than_their_size_and_number) {
  const ScratchFolder folder;
  Confinement limited = strict(folder.text());
  limited.limits.file_size = 1000;
  limited.limits.open_files = 20;
  const std::string write =
      "open(sys.argv[1] + '/a', 'wb', 0).write(b'x' * 2000) < 2000 and (_ for _ in ()).throw(OSError(27, ''))";
  BOOST_TEST(attempt(write, strict(folder.text()), {folder.text()}) == "done");
  BOOST_TEST(attempt(write, limited, {folder.text()}) == "EFBIG");
  BOOST_TEST(attempt("[os.dup(0) for _ in range(30)]", strict(folder.text())) == "done");
  BOOST_TEST(attempt("[os.dup(0) for _ in range(30)]", limited) == "EMFILE");
}

/// A bridge with many hosts has more files open than it allows a program.
BOOST_AUTO_TEST_CASE(a_program_may_have_fewer_open_files_than_who_starts_it) {
  const ScratchFolder folder;
  Confinement limited = strict(folder.text());
  limited.limits.open_files = 20;
  std::vector<toolwire::system::FileDescriptor> many;
  for (int i = 0; i < 40; ++i) many.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  BOOST_TEST(attempt("[os.dup(0) for _ in range(10)]", limited) == "done");
  BOOST_TEST(attempt("[os.dup(0) for _ in range(30)]", limited) == "EMFILE");
}

BOOST_AUTO_TEST_CASE(processes_are_refused_and_threads_are_not) {
  const ScratchFolder folder;
  const Confinement confined = strict(folder.text());
  const std::string fork = "os.fork() or os._exit(0)";
  BOOST_TEST(attempt(fork, {}) == "done");
  BOOST_TEST(attempt(fork, confined) == "EPERM");
  BOOST_TEST(attempt("subprocess.run(['true'])", {}) == "done");
  BOOST_TEST(attempt("subprocess.run(['true'])", confined) == "EPERM");
  BOOST_TEST(attempt("os.posix_spawn('/bin/true', ['true'], {})", confined) == "EPERM");
  BOOST_TEST(attempt(system_call(SYS_vfork, "0"), confined) == "EPERM");
  const char* const threads =
      "import threading\nall = [threading.Thread(target=print, args=('x',)) for _ in range(8)]\n"
      "[t.start() for t in all]; [t.join() for t in all]";
  BOOST_TEST(run({.text = threads, .confinement = confined}).output.size() == 16U);
  const char* const async_loop = "import asyncio\nasync def main(): print('ran')\nasyncio.run(main())";
  BOOST_TEST(run({.text = async_loop, .confinement = confined}).output == "ran\n");
}

BOOST_AUTO_TEST_CASE(other_programs_are_executed_only_if_listed, *unit_test::precondition(has_landlock)) {
  const ScratchFolder folder;
  const std::string exec = "os.execv(sys.argv[1], ['true'])";
  Confinement confined = strict(folder.text());
  BOOST_TEST(attempt(exec, confined, {"/bin/true"}) == "EACCES");
  const std::string spawn = "subprocess.run([sys.argv[1]], close_fds=False)";
  confined.programs = ProgramAccess::listed;
  confined.program_files = {"true"};
  BOOST_TEST(attempt(spawn, confined, {"/bin/true"}) == "done");
  BOOST_TEST(attempt(spawn, confined, {"/bin/false"}) == "EACCES");
  // Nor what it has written itself.
  const std::string copy =
      "s = open('/bin/true', 'rb').read(); f = os.open(sys.argv[1] + '/own', os.O_CREAT | os.O_WRONLY, 0o755); "
      "os.write(f, s); os.close(f); subprocess.run([sys.argv[1] + '/own'])";
  BOOST_TEST(attempt(copy, confined, {folder.text()}) == "EACCES");
  confined.programs = ProgramAccess::all;
  BOOST_TEST(attempt(copy, confined, {folder.text()}) == "done");
}

BOOST_AUTO_TEST_CASE(a_program_made_in_memory_is_not_executed, *unit_test::precondition(has_landlock)) {
  const ScratchFolder folder;
  const std::string exec = execution_from_memory;
  BOOST_TEST(attempt(exec, {}) == "");  // it was executed, and says nothing
  Confinement confined = strict(folder.text());
  BOOST_TEST(attempt(exec, confined) == "ENOSYS");
  confined.programs = ProgramAccess::listed;
  confined.program_files = {"true"};
  BOOST_TEST(attempt(exec, confined) == "ENOSYS");
}

BOOST_AUTO_TEST_CASE(a_script_is_executed_with_its_interpreter, *unit_test::precondition(has_landlock)) {
  const ScratchFolder folder;
  const auto script = folder.file("script", "#!/usr/bin/env python3\nprint('ran')\n");
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ProcessRunner runner;
  ProcessRequest request;
  request.start.command = {script.string()};
  request.start.environment = {{"PATH", "/usr/bin:/bin"}};
  request.start.confinement = strict(folder.text());
  const ProcessEnd end = runner.run(request);
  BOOST_TEST(end.output == "ran\n", end.text + end.errors);
}

BOOST_AUTO_TEST_CASE(the_network_is_refused_and_pairs_are_not) {
  const Listener listener;
  const std::string connect = "socket.create_connection(('127.0.0.1', int(sys.argv[1])))";
  for (const FileAccess files : all_file_accesses) {
    if (files != FileAccess::all && kernel_support().landlock == 0) continue;
    BOOST_TEST(attempt(connect, {.files = files}, {listener.port()}) == "done");
    BOOST_TEST(attempt(connect, {.files = files, .network = NetworkAccess::none}, {listener.port()}) == "EACCES");
  }
  const Confinement confined{.network = NetworkAccess::none};
  for (const std::string& made : sockets()) BOOST_TEST(attempt(made, confined) == "EACCES", made);
  BOOST_TEST(attempt("a, b = socket.socketpair(); a.send(b'x')", confined) == "done");
  BOOST_TEST(attempt("socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)", confined) ==
             "done");
}

BOOST_AUTO_TEST_CASE(the_environment_of_the_bridge_is_not_read, *unit_test::precondition(has_landlock)) {
  const ScratchFolder folder;
  const std::string read = "open('/proc/' + sys.argv[1] + '/environ').read()";
  const std::vector<std::string> bridge{std::to_string(::getpid())};
  BOOST_TEST(attempt(read, {}, bridge) == "done");
  BOOST_TEST(attempt(read, strict(folder.text()), bridge) == "EACCES");
  BOOST_TEST(attempt(read, {.files = FileAccess::read_only}, bridge) == "EACCES");
  BOOST_TEST(attempt("open('/proc/self/environ').read()", strict(folder.text())) == "done");
  BOOST_TEST(attempt("open('/proc/' + sys.argv[1] + '/cmdline').read()", strict(folder.text()), bridge) == "EACCES");
}

BOOST_AUTO_TEST_CASE(the_bridge_gets_no_signal, *unit_test::precondition(has_scopes)) {
  const ScratchFolder folder;
  const std::vector<std::string> bridge{std::to_string(::getpid())};
  BOOST_TEST(attempt("os.kill(int(sys.argv[1]), 0)", {}, bridge) == "done");
  BOOST_TEST(attempt("os.kill(int(sys.argv[1]), 0)", strict(folder.text()), bridge) == "EPERM");
  BOOST_TEST(attempt("os.kill(os.getpid(), 0)", strict(folder.text())) == "done");
}

BOOST_AUTO_TEST_CASE(calls_that_reach_beyond_the_program_are_refused) {
  const Confinement confined{.network = NetworkAccess::none};
  for (const auto& [number, arguments] : calls_beyond()) {
    const std::string error = attempt(system_call(number, arguments), confined);
    BOOST_TEST_CONTEXT("call " << number) BOOST_TEST(error == "EPERM");
  }
  for (const auto& [number, arguments] : calls_that_are_not_there())
    BOOST_TEST(attempt(system_call(number, arguments), confined) == "ENOSYS", number);
}

BOOST_AUTO_TEST_CASE(node_runs_where_it_may_only_compute, *unit_test::precondition(has_landlock_and_node)) {
  const ScratchFolder folder;
  Confinement confined = strict(folder.text());
  confined.limits = {.memory = std::uint64_t{1} << 30, .memory_count = MemoryCount::private_data};
  ProcessRunner runner;
  ProcessRequest request;
  request.start.command = {"node", "-e",
                           "const fs = require('fs'); console.log('ran'); fs.writeFileSync('here', 'x');"
                           "try { fs.writeFileSync('/tmp/there', 'x') } catch (e) { console.log(e.code) }"
                           "try { require('child_process').execSync('true') } catch (e) { console.log(e.code) }"};
  request.start.environment = {{"PATH", std::getenv("PATH")}};
  request.start.directory = folder.text();
  request.start.confinement = confined;
  const ProcessEnd end = runner.run(request);
  BOOST_TEST(end.output == "ran\nEACCES\nEPERM\n", end.text + end.errors);
  BOOST_TEST(content_of(folder.path() / "here") == "x");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_enforced_does_not_start_unless_it_may) {
  const ScratchFolder folder;
  Script script{.text = "print('ran')", .confinement = strict(folder.text()), .kernel = {}};
  const ProcessEnd refused = run(script);
  BOOST_TEST(refused.code == "unavailable");
  BOOST_TEST(refused.text.find("files=workspace: this kernel has no Landlock") != std::string::npos, refused.text);
  BOOST_TEST(refused.text.find("network=none: this kernel has no seccomp") != std::string::npos, refused.text);
  script.confinement.may_degrade = true;
  BOOST_TEST(run(script).output == "ran\n");
}

BOOST_AUTO_TEST_CASE(a_workspace_that_is_not_there_is_an_error, *unit_test::precondition(has_landlock)) {
  const ProcessEnd end = run({.text = "print('ran')", .confinement = strict("/no/such/folder")});
  BOOST_TEST(end.code == "unavailable");
  BOOST_TEST(end.text.find("/no/such/folder") != std::string::npos, end.text);
}
