#include "confinement/report.hpp"

#define BOOST_TEST_MODULE what is said of the confinement of programs
#include <boost/test/unit_test.hpp>

#include <toolwire/bridge/bridge.hpp>
#include <toolwire/testing.hpp>

#include "bound_activity.hpp"
#include "confinement/confined.hpp"
#include "confinement/read_confinement.hpp"
#include "scratch_folder.hpp"
#include "waited_call.hpp"

namespace {

using namespace toolwire;
using namespace toolwire::bridge;
using namespace toolwire_test;

constexpr const char* no_files = R"({"process": {"argv": ["true"], "confinement": {"files": "workspace"}}})";

Confinement read(const char* text, const std::string& directory = "/base") {
  Findings findings("test");
  const Json settings = parse_json(text);
  Confinement confinement = read_confinement(settings.get_object(), "", directory, findings);
  for (const ManifestProblem& problem : findings.take_problems("")) BOOST_ERROR(problem.message());
  return confinement;
}

KernelSupport kernel(int landlock, bool seccomp) { return {.landlock = landlock, .seccomp = seccomp}; }

}  // namespace

BOOST_AUTO_TEST_CASE(settings_are_read_and_paths_count_from_their_folder) {
  const Confinement all = read("{}");
  BOOST_TEST(!all.is_confined());
  BOOST_TEST(!all.has_private_temporary());
  const Confinement some = read(R"({"files": "workspace", "workspace": ["notes", "/srv"], "readable": ["."],
      "network": "none", "programs": ["git", "bin/x"], "degraded": "allow", "limits": {"memory": 2000000, "file_size": 5,
      "cpu_seconds": 6, "open_files": 8, "processes": 7, "memory_count": "private_data"}})");
  BOOST_TEST((some.files == FileAccess::workspace));
  BOOST_TEST(some.workspace == (std::vector<std::string>{"/base/notes", "/srv"}), boost::test_tools::per_element());
  BOOST_TEST(some.readable.front() == "/base/");
  BOOST_TEST((some.network == NetworkAccess::none));
  BOOST_TEST(some.program_files == (std::vector<std::string>{"git", "/base/bin/x"}), boost::test_tools::per_element());
  BOOST_TEST(some.may_degrade);
  BOOST_TEST(some.limits.memory == 2000000U);
  BOOST_TEST(some.limits.processes == 7U);
  BOOST_TEST((some.limits.memory_count == MemoryCount::private_data));
  BOOST_TEST((read(R"({"files": "read-only", "programs": "none"})").programs == ProgramAccess::none));
}

BOOST_AUTO_TEST_CASE(one_line_says_at_the_start_how_a_program_is_confined_or_that_it_is_not) {
  BOOST_TEST(start_text(report_on({}, kernel(7, true))) == "is not confined: it may do what this user may");
  BOOST_TEST(start_text(report_on({.network = NetworkAccess::none}, kernel(7, true)))
                 .starts_with("runs with files=all, network=none"));
  BOOST_TEST(start_text(report_on({.network = NetworkAccess::none}, kernel(7, false))).starts_with("will not start: "));
}

BOOST_AUTO_TEST_CASE(what_has_no_effect_or_is_stated_twice_is_a_problem) {
  const auto problems = [](const char* confinement, const char* more = "") {
    return binding_problems(std::string(R"({"process": {"argv": ["true"], "confinement": )") + confinement + more +
                            "}}");
  };
  BOOST_TEST(problems(R"({"readable": ["/a"]})").find("has no effect without") != std::string::npos);
  BOOST_TEST(problems(R"({"files": "some"})").find("/confinement/files") != std::string::npos);
  BOOST_TEST(problems(R"({"limits": {"memory": 2000000}})", R"(, "memory_limit": 2000000)").find("stated twice") !=
             std::string::npos);
  BOOST_TEST(binding_problems(no_files).find("expected \"workspace\"") != std::string::npos);
  BOOST_TEST(problems(R"({"files": "workspace"})", R"(, "directory": "/tmp")") == "");
}

BOOST_AUTO_TEST_CASE(the_report_names_what_enforces_it_and_what_is_missing) {
  const Confinement strict = read(R"({"files": "workspace", "network": "none", "programs": "none"})");
  BOOST_TEST(to_text(report_on(strict, kernel(7, true))) ==
             "files=workspace, network=none, programs=none (Landlock 7, seccomp)");
  const ConfinementReport bare = report_on(strict, kernel(0, true));
  BOOST_TEST(
      to_text(bare) ==
      "files=workspace, network=none, programs=none (seccomp); not enforced: files=workspace: this kernel has no "
      "Landlock");
  BOOST_TEST(!bare.may_start());
  BOOST_TEST(report_on(strict, kernel(7, false)).missing.size() == 3U);
  BOOST_TEST(report_on(read(R"({"programs": ["git"]})"), kernel(0, true)).missing.size() == 1U);
  BOOST_TEST(report_on(read(R"({"limits": {"processes": 5}})"), kernel(7, true)).missing.size() == 1U);
  BOOST_TEST(report_on(read("{}"), kernel(0, false)).may_start());
  BOOST_TEST(Json(to_json(bare)) == parse_json(R"({"files": "workspace", "network": "none", "programs": "none",
      "enforced_by": ["seccomp"], "not_enforced": ["files=workspace: this kernel has no Landlock"]})"));
}

BOOST_AUTO_TEST_CASE(the_report_says_what_holds_for_all_processes_together) {
  const Confinement limited = read(R"({"limits": {"memory": 2000000, "processes": 5}})");
  KernelSupport with = kernel(7, true);
  with.why_no_control_group = "other processes are in the bridge's control group";
  const ConfinementReport without = report_on(limited, with);
  BOOST_TEST(!without.may_start());
  BOOST_TEST(to_text(without) ==
             "files=all, network=all, programs=all, memory of each process; not enforced: limits.processes: other "
             "processes are in the bridge's control group");
  BOOST_TEST(to_json(without).at("limits").at("memory_of") == "each process");
  with.control_group = "/some/group";
  const ConfinementReport report = report_on(limited, with);
  BOOST_TEST(report.may_start());
  BOOST_TEST(to_text(report) ==
             "files=all, network=all, programs=all, memory of all processes together (control group)");
  BOOST_TEST(to_json(report).at("limits").at("memory_of") == "all processes together");
  BOOST_TEST(Json(to_json(report)).at("enforced_by") == parse_json(R"(["control group"])"));
  BOOST_TEST(to_text(report_on(read("{}"), with)) == "files=all, network=all, programs=all");
}

BOOST_AUTO_TEST_CASE(a_tool_tells_hosts_how_it_is_confined) {
  const ActivityServices services = new_services();
  Bridge bridge{{.name = "bridge", .version = "1.0.0"}};
  bridge.tool(ToolDefinition{.name = "free", .parameters = parse_json(R"({"type":"object"})")});
  bridge.tool(ToolDefinition{.name = "tool", .parameters = parse_json(R"({"type":"object"})")});
  const char* const entry =
      R"({"process": {"argv": ["true"], "confinement": {"network": "none", "degraded": "allow", "limits": {"open_files": 50}}}})";
  bridge.activities().add("tool", bound_activity(entry, services));
  bridge.activities().add("free", bound_activity(R"({"process": {"argv": ["true"]}})", services));
  testing::Client client{bridge.server()};
  const auto tools = client.list_tools();
  const Json& said = tools.at(1).raw.at("_meta").at("dev.toolwire/confinement");
  BOOST_TEST(said.at("network") == "none");
  BOOST_TEST(said.at("limits") == parse_json(R"({"open_files": 50})"));
  BOOST_TEST(!tools.at(0).raw.at("_meta").get_object().contains("dev.toolwire/confinement"));
  services.processes->close();
}
