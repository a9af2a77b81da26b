// `toolwire-bridge serve` where the kernel lacks what newer ones have.
#include <toolwire/client.hpp>

#define BOOST_TEST_MODULE bridge_older_kernel_test
#include <boost/test/unit_test.hpp>

#include <sys/syscall.h>

#include <string>

#include "served_servers.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

struct Fixture {
  ServedServers served;

  Fixture() {
    served.bind("process", JsonObject{{"process", JsonObject{{"argv", JsonArray{"/bin/echo", "said"}}}}});
    served.add_server("one", {"echo"});
  }
  /// With a kernel that lacks this call, and all that came after it.
  Program without(long first) const {
    Program program = served.program();
    program.command.insert(program.command.begin(), {TOOLWIRE_BIN_DIR "/older_kernel", std::to_string(first)});
    return program;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(programs_and_servers_run_on_linux_5_3, Fixture) {
  Client client(without(SYS_clone3), {.revision = "2026-07-28"});
  BOOST_TEST(client.call("process").text() == "said\n");
  BOOST_TEST(client.call("one_echo", {{"text", "said"}}).text() == "said");
}

BOOST_FIXTURE_TEST_CASE(before_that_a_program_is_refused_with_the_reason, Fixture) {
  Client client(without(SYS_pidfd_open), {.revision = "2026-07-28"});
  const CallResult refused = client.call("process");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.text().find("Linux 5.3 or newer is needed") != std::string::npos, refused.text());
  BOOST_TEST(client.call("one_echo", {{"text", "said"}}).text() == "said");
}
