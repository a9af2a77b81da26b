#include "confinement/confinement.hpp"

#define BOOST_TEST_MODULE bridge_confined_runtime
#include <boost/test/unit_test.hpp>

#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "confinement_attacks.hpp"
#include "delegated_module.hpp"
#include "file_content.hpp"
#include "listening_socket.hpp"
#include "runtime_pool.hpp"
#include "system/kernel.hpp"

namespace {

using namespace toolwire::bridge;
using namespace std::chrono_literals;
using toolwire::JsonObject;
using toolwire_test::has_group;
using toolwire_test::OwnGroup;
using toolwire_test::PoolCall;
using toolwire_test::PoolFixture;
using toolwire_test::ScratchFolder;
namespace unit_test = boost::unit_test;

boost::test_tools::assertion_result has_landlock(unit_test::test_unit_id) { return kernel_support().landlock > 0; }

/// What a hostile tool tries; the answer names what the system said to each.
const char* const attempts = R"(
import os, socket, errno
def tool_function(**given):
    said = []
    def attempt(action):
        try:
            action()
            said.append('done')
        except MemoryError:
            said.append('ENOMEM')
        except OSError as error:
            said.append(errno.errorcode[error.errno])
    attempt(lambda: open(given['inside'] + '/file', 'w'))
    attempt(lambda: open(given['outside'] + '/file', 'w'))
    attempt(lambda: socket.create_connection(('127.0.0.1', given['port'])))
    attempt(lambda: open('/proc/%d/environ' % given['bridge']).read())
    attempt(lambda: os.fork() or os._exit(0))
    attempt(lambda: bytearray(1 << 31))
    return ' '.join(said)
)";

/// Does what it is told, and answers with what the system said.
const char* const attempt_tool = R"(
import os, sys, errno, socket, ctypes, subprocess
def tool_function(action, arguments=()):
    sys.argv = ['', *arguments]
    try:
        exec(action, globals())
        return 'done'
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))
)";

const std::string fork_bomb = toolwire_test::bombs + "tool_function = fork_bomb";
const std::string memory_bomb = toolwire_test::bombs + "tool_function = memory_bomb";

/// The same runtime with and without confinement.
struct Fixture : PoolFixture {
  ScratchFolder inside;
  ScratchFolder outside;
  toolwire_test::ListeningSocket socket;

  void confine() {
    options.start.confinement = {.files = FileAccess::workspace,
                                 .workspace = {inside.text()},
                                 .readable = {folder.text(), TOOLWIRE_SOURCE_DIR "/bridge/runtimes/python"},
                                 .network = NetworkAccess::none,
                                 .programs = ProgramAccess::none,
                                 .limits = {.memory = std::uint64_t{1} << 30}};
  }
  std::string attempt(const std::string& action, const std::vector<std::string>& arguments = {}) {
    if (!has_attempt_tool_) tool("attempt", attempt_tool);
    has_attempt_tool_ = true;
    return call("attempt",
                JsonObject{{"action", action}, {"arguments", toolwire::JsonArray(arguments.begin(), arguments.end())}});
  }
  void expect(const std::string& error, const toolwire_test::Calls& calls) {
    for (const auto& [number, arguments] : calls)
      BOOST_TEST(attempt(toolwire_test::system_call(number, arguments)) == error, number << ": " << arguments);
  }
  std::string attempted() {
    tool("attempts", attempts);
    return call(
        "attempts",
        JsonObject{
            {"inside", inside.text()}, {"outside", outside.text()}, {"port", socket.port()}, {"bridge", ::getpid()}});
  }

 private:
  bool has_attempt_tool_ = false;
};

}  // namespace

BOOST_TEST_GLOBAL_FIXTURE(OwnGroup);

BOOST_FIXTURE_TEST_SUITE(a_runtime, Fixture)

BOOST_AUTO_TEST_CASE(does_what_its_user_may) { BOOST_TEST(attempted() == "done done done done done done"); }

BOOST_AUTO_TEST_CASE(does_no_more_than_it_is_let, *unit_test::precondition(has_landlock)) {
  confine();
  BOOST_TEST(attempted() == "done EACCES EACCES EACCES EPERM ENOMEM");
  BOOST_TEST(!std::filesystem::exists(outside / "file"));
}

BOOST_AUTO_TEST_CASE(sets_and_reads_nothing_of_other_processes, *unit_test::precondition(has_landlock)) {
  confine();
  const toolwire_test::Bystander other;
  expect("EPERM", toolwire_test::calls_on_process(other.id()));
  expect("EPERM", toolwire_test::further_calls_on_process(other.id()));
  expect("EPERM", toolwire_test::calls_beyond());
  expect("ENOSYS", toolwire_test::calls_that_are_not_there());
  const std::vector<std::string> bridge{std::to_string(::getpid())};
  BOOST_TEST(attempt("open('/proc/' + sys.argv[1] + '/cmdline').read()", bridge) == "EACCES");
  if (kernel_support().landlock >= 6) BOOST_TEST(attempt("os.kill(int(sys.argv[1]), 0)", bridge) == "EPERM");
}

BOOST_AUTO_TEST_CASE(changes_nothing_outside_of_its_workspace, *unit_test::precondition(has_landlock)) {
  confine();
  outside.file("kept", "content");
  outside.folder("folder");
  inside.link(outside.path() / "kept", "way_out");
  for (const std::string& change : toolwire_test::changes_outside()) {
    std::string error = attempt(change, {inside.text(), outside.text()});
    if (error == "EXDEV") error = "EACCES";  // what Landlock says of moves to another folder
    BOOST_TEST(error == "EACCES", change);
  }
  BOOST_TEST(toolwire_test::content_of(outside.path() / "kept") == "content");
  BOOST_TEST(attempt("os.listdir(sys.argv[1])", {outside.text()}) == "EACCES");
}

BOOST_AUTO_TEST_CASE(reads_only_what_it_is_let_and_changes_no_modes_owners_or_times,
                     *unit_test::precondition(has_landlock)) {
  outside.file("secret", "content");
  inside.file("file");
  const std::string read = "open(sys.argv[1] + '/secret').read()";
  const std::vector<std::string> changes{"os.chmod(F, 0o777)", "os.chown(F, 1, 1)", "os.utime(F)",
                                         "os.setxattr(F, 'user.a', b'')"};
  confine();
  BOOST_TEST(attempt(read, {outside.text()}) == "EACCES");
  BOOST_TEST(attempt("os.listdir(os.path.expanduser('~root'))") == "EACCES");
  for (const std::string& change : changes)
    BOOST_TEST(attempt("F = sys.argv[1] + '/file'; " + change, {inside.text()}) == "EPERM", change);
}

BOOST_AUTO_TEST_CASE(reads_outside_and_changes_modes_where_nothing_is_confined) {
  outside.file("secret", "content");
  BOOST_TEST(attempt("open(sys.argv[1] + '/secret').read()", {outside.text()}) == "done");
  BOOST_TEST(attempt("os.chmod(sys.argv[1] + '/secret', 0o777)", {outside.text()}) == "done");
}

BOOST_AUTO_TEST_CASE(empties_no_file_where_landlock_cannot_refuse_it, *unit_test::precondition(has_landlock)) {
  outside.file("kept", "content");
  confine();
  options.start.confinement.readable.push_back(outside.text());
  options.start.kernel.landlock = std::min(options.start.kernel.landlock, 2);
  for (const char* const change : {"os.truncate(F + '/kept', 0)", "os.open(F + '/kept', os.O_RDONLY | os.O_TRUNC)",
                                   "os.open(F + '/kept', 3 | os.O_TRUNC)"})
    BOOST_TEST(attempt(std::string("F = sys.argv[1]; ") + change, {outside.text()}) == "EPERM", change);
  BOOST_TEST(toolwire_test::content_of(outside.path() / "kept") == "content");
}

BOOST_AUTO_TEST_CASE(removes_no_shared_memory_of_others, *unit_test::precondition(has_landlock)) {
  const int segment = ::shmget(IPC_PRIVATE, 4096, 0600);
  BOOST_REQUIRE(segment >= 0);
  confine();
  BOOST_TEST(attempt(toolwire_test::system_call(SYS_shmctl, std::to_string(segment) + ", 0, None")) == "EACCES");
  BOOST_TEST(::shmctl(segment, IPC_RMID, nullptr) == 0);
}

BOOST_AUTO_TEST_CASE(has_no_more_than_its_limits_and_cannot_raise_them, *unit_test::precondition(has_landlock)) {
  const std::string write = "open(sys.argv[1] + '/a', 'wb', 0).write(b'x' * 200000) == 200000 or os.open('/', 99, 99)",
                    raise = "import resource as r; r.setrlimit(r.RLIMIT_AS, (r.RLIM_INFINITY,) * 2)";
  confine();
  options.start.confinement.limits.file_size = 100'000;
  options.start.confinement.limits.open_files = 60;
  BOOST_TEST(attempt(write, {inside.text()}) != "done");
  BOOST_TEST(std::filesystem::file_size(inside / "a") == 100'000U);
  const std::string raised = attempt(raise);
  BOOST_TEST(raised.find("not allowed to raise maximum limit") != std::string::npos, raised);
  BOOST_TEST(attempt("os.memfd_create('x')") == "ENOSYS");
  BOOST_TEST(attempt("[os.dup(0) for _ in range(60)]") == "EMFILE");
}

BOOST_AUTO_TEST_CASE(executes_only_what_is_listed, *unit_test::precondition(has_landlock)) {
  const std::string spawn = "subprocess.run([sys.argv[1]], close_fds=False)",
                    copy =
                        "s = open('/bin/true', 'rb').read(); f = os.open(sys.argv[1] + '/own', os.O_CREAT | "
                        "os.O_WRONLY, 0o755); os.write(f, s); os.close(f); subprocess.run([sys.argv[1] + '/own'])";
  confine();
  options.start.confinement.programs = ProgramAccess::listed;
  options.start.confinement.program_files = {"true"};
  BOOST_TEST(attempt(spawn, {"/bin/true"}) == "done");
  BOOST_TEST(attempt(spawn, {"/bin/false"}) == "EACCES");
  BOOST_TEST(attempt(copy, {inside.text()}) == "EACCES");
  BOOST_TEST(attempt(toolwire_test::execution_from_memory) == "ENOSYS");
}

BOOST_AUTO_TEST_CASE(has_a_temporary_folder_of_its_own_that_goes_with_it, *unit_test::precondition(has_landlock)) {
  tool("where",
       "import tempfile\ndef tool_function():\n    open(tempfile.gettempdir() + '/f', 'w')\n"
       "    return tempfile.gettempdir()");
  tool("end", "import os\ndef tool_function():\n    os._exit(0)");
  confine();
  const std::filesystem::path own = call("where");
  BOOST_TEST(own.parent_path() == std::filesystem::temp_directory_path());
  BOOST_TEST(std::filesystem::exists(own / "f"));
  call("end");
  const std::filesystem::path next = call("where");
  BOOST_TEST((next != own));
  BOOST_TEST(!std::filesystem::exists(own));
}

BOOST_AUTO_TEST_CASE(opens_no_socket_and_executes_nothing, *unit_test::precondition(has_landlock)) {
  confine();
  for (const std::string& made : toolwire_test::sockets()) BOOST_TEST(attempt(made) == "EACCES", made);
  BOOST_TEST(attempt("subprocess.run(['true'])") == "EPERM");
  BOOST_TEST(attempt("os.posix_spawn('/bin/true', ['true'], {})") == "EPERM");
  BOOST_TEST(attempt(toolwire_test::system_call(SYS_vfork, "0")) == "EPERM");
  BOOST_TEST(attempt("os.execv('/bin/true', ['true'])") == "EACCES");
  BOOST_TEST(attempt(toolwire_test::execution_from_memory) == "ENOSYS");
  BOOST_TEST(attempt("1") == "done");  // it is there still
}

BOOST_AUTO_TEST_CASE(stuck_in_c_is_ended_at_its_deadline_and_replaced, *unit_test::precondition(has_landlock)) {
  confine();
  tool("stuck", "import itertools\ndef tool_function():\n    any(itertools.repeat(0))");
  tool("fine", "def tool_function():\n    return 'fine'");
  options.grace = 50ms;
  BOOST_TEST(call("fine") == "fine");
  PoolCall stuck(pool(), "stuck", JsonObject{}, toolwire_test::RuntimePool::Clock::now() + 200ms);
  BOOST_TEST(stuck.text().starts_with("timeout: "));
  BOOST_TEST(call("fine") == "fine");
}

BOOST_AUTO_TEST_CASE(printing_without_end_is_ended_at_its_deadline, *unit_test::precondition(has_landlock)) {
  confine();
  tool("printing", "def tool_function():\n    while True:\n        print('x' * 1000)");
  PoolCall printing(pool(), "printing", JsonObject{}, toolwire_test::RuntimePool::Clock::now() + 1000ms);
  BOOST_TEST(printing.text().starts_with("timeout: "));
}

BOOST_AUTO_TEST_CASE(has_no_more_processes_than_its_limit, *unit_test::precondition(has_group)) {
  tool("bomb", fork_bomb);
  options.start.kernel = toolwire_test::delegated();
  options.start.confinement = {.limits = {.processes = 12}};
  const int processes = std::stoi(call("bomb"));
  BOOST_TEST(processes > 0);
  BOOST_TEST(processes < 12);
  BOOST_TEST(toolwire_test::groups_of_runs() == 1U);
  pool().close();
  BOOST_TEST(toolwire_test::groups_of_runs() == 0U);
}

BOOST_AUTO_TEST_CASE(has_as_much_as_it_likes_without_limits, *unit_test::precondition(has_group)) {
  tool("fork", fork_bomb);
  tool("memory", memory_bomb);
  options.start.kernel = toolwire_test::delegated();
  BOOST_TEST(call("fork") == "40");
  BOOST_TEST(call("memory") == "all");
}

BOOST_AUTO_TEST_CASE(has_no_more_memory_for_all_its_processes_than_its_limit, *unit_test::precondition(has_group)) {
  tool("bomb", memory_bomb);
  tool("fine", "def tool_function():\n    return 'fine'");
  options.start.kernel = toolwire_test::delegated();
  options.start.confinement = {.limits = {.memory = 256 << 20}};
  BOOST_TEST(call("bomb") != "all");
  BOOST_TEST(call("fine") == "fine");
}

BOOST_AUTO_TEST_CASE(is_ended_with_all_that_it_started, *unit_test::precondition(has_group)) {
  tool("nest", "import os, time\ndef tool_function():\n    if os.fork() == 0: os.setsid()\n    time.sleep(1000)");
  options.start.kernel = toolwire_test::delegated();
  options.start.confinement = {.limits = {.processes = 12}};
  options.grace = 50ms;
  PoolCall nested(pool(), "nest", JsonObject{}, toolwire_test::RuntimePool::Clock::now() + 2000ms);
  BOOST_TEST(nested.text().starts_with("timeout: "));
  pool().close();
  BOOST_TEST(toolwire_test::groups_of_runs() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
