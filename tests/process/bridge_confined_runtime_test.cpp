#include "confinement/confinement.hpp"

#define BOOST_TEST_MODULE bridge_confined_runtime
#include <boost/test/unit_test.hpp>

#include <unistd.h>

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
  std::string attempted() {
    tool("attempts", attempts);
    return call(
        "attempts",
        JsonObject{
            {"inside", inside.text()}, {"outside", outside.text()}, {"port", socket.port()}, {"bridge", ::getpid()}});
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(a_runtime, Fixture)

BOOST_AUTO_TEST_CASE(does_what_its_user_may) { BOOST_TEST(attempted() == "done done done done done done"); }

BOOST_AUTO_TEST_CASE(does_no_more_than_it_is_let, *unit_test::precondition(has_landlock)) {
  confine();
  BOOST_TEST(attempted() == "done EACCES EACCES EACCES EPERM ENOMEM");
  BOOST_TEST(!std::filesystem::exists(outside / "file"));
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
