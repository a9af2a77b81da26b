#include "confinement/confinement.hpp"

#define BOOST_TEST_MODULE bridge_confined_runtime
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include "confinement_attacks.hpp"
#include "file_content.hpp"
#include "listening_socket.hpp"
#include "runtime_pool.hpp"
#include "system/kernel.hpp"

namespace {

using namespace toolwire::bridge;
using namespace std::chrono_literals;
using toolwire::JsonObject;
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

BOOST_AUTO_TEST_CASE(opens_no_socket_and_executes_nothing, *unit_test::precondition(has_landlock)) {
  confine();
  for (const std::string& made : toolwire_test::sockets()) BOOST_TEST(attempt(made) == "EACCES", made);
  BOOST_TEST(attempt("subprocess.run(['true'])") == "EPERM");
  BOOST_TEST(attempt("os.posix_spawn('/bin/true', ['true'], {})") == "EPERM");
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

BOOST_AUTO_TEST_SUITE_END()
