// The framework's transcripts, replayed against a bridge whose native tools do what the fixture's do: on the wire a
// bridge is like any other server.
#include "bridge_fixture.hpp"

#define BOOST_TEST_MODULE bridge_wire_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "transcript_suites.hpp"

namespace {

struct Exception {
  std::string_view name;  // of transcripts, in any folder
  std::string_view reason;
};

const std::vector<Exception> not_applicable{
    {"call-arguments", "native arguments are judged by the tool's schema before any C++ type sees them: other words"},
    {"call-structured", "for the same reason null is no absent number"},
};

bool applies(const std::string&, const std::string& name) {
  for (const Exception& exception : not_applicable) {
    if (exception.name == name) return false;
  }
  return true;
}

const bool transcripts_registered = toolwire_test::add_transcripts(toolwire_test::make_bridge_fixture, applies);

}  // namespace

BOOST_AUTO_TEST_CASE(there_are_transcripts) { BOOST_TEST(transcripts_registered); }
