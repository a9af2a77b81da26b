// Public OpenAPI descriptions, as packages of npm have them: all of them become tools that pass `check`.
#define BOOST_TEST_MODULE bridge_import_npm_test
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "serve_bench.hpp"

using namespace toolwire;
using namespace toolwire_test;

namespace {

struct Public {
  const char* file;  // in node_modules
  const char* tools;
  const char* said;  // of what is not carried over; empty: nothing is
};

const std::vector<Public> descriptions{
    {"@readme/oas-examples/3.0/json/petstore.json", "20 tools of files", ""},
    {"@readme/oas-examples/3.0/json/uspto.json", "3 tools of files", ""},
    {"@readme/oas-examples/3.0/json/star-trek.json", "120 tools of files", ""},
    {"@readme/oas-examples/3.1/json/readme.json", "54 tools of files", "no body is sent but JSON"},
    {"@readme/oas-examples/3.1/json/train-travel.json", "7 tools of files",
     "not carried over: they are calls that the service makes"},
    {"@scalar/galaxy/dist/3.1.json", "9 tools of files", "/webhooks: not carried over"},
};

}  // namespace

BOOST_AUTO_TEST_CASE(public_descriptions_become_tools_that_pass_check) {
  for (const Public& one : descriptions) {
    const ScratchFolder folder;
    const std::string manifest = (folder / "tools.json").string();
    const ProgramRun imported =
        run({"import", "openapi", std::string(TOOLWIRE_HOSTS_DIR "/node_modules/") + one.file, "--output", manifest});
    BOOST_TEST_CONTEXT(one.file) {
      BOOST_TEST(imported.status == 0, imported.errors);
      BOOST_TEST(imported.errors.find(one.said) != std::string::npos, imported.errors);
      const std::string configuration =
          folder.file("mcp.json", R"j({"toolwire": {"manifests": ["tools.json"]}})j").string();
      const ProgramRun checked = run({"check", configuration});
      BOOST_TEST(checked.status == 0, checked.out);
      BOOST_TEST(checked.out.find(std::string(one.tools) + ", no problems") != std::string::npos, checked.out);
    }
  }
}
