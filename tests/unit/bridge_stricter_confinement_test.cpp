#include "confinement/stricter.hpp"

#define BOOST_TEST_MODULE bridge_stricter_confinement_test
#include <boost/test/unit_test.hpp>

#include "activities/process_settings.hpp"

using namespace toolwire;
using namespace toolwire::bridge;

namespace {

/// The same in both orders.
StricterConfinement both(const Confinement& one, const Confinement& other) {
  StricterConfinement made = stricter(one, other);
  const StricterConfinement turned = stricter(other, one);
  BOOST_TEST(made.conflict == turned.conflict);
  if (made.conflict.empty()) BOOST_TEST((made.confinement == turned.confinement));
  return made;
}

ProcessSettings settings(const char* text) {
  Findings findings("");
  ProcessSettings read = read_process_settings(parse_json(text).as_object(), "", "/base", findings);
  BOOST_TEST(!findings.has_problems());
  return read;
}

const Confinement work{.files = FileAccess::workspace, .workspace = {"/w"}, .readable = {"/r"}};

}  // namespace

BOOST_AUTO_TEST_CASE(each_member_is_that_of_the_stricter_one) {
  const Confinement one{.files = FileAccess::read_only, .programs = ProgramAccess::listed, .program_files = {"git"}};
  const Confinement other{.network = NetworkAccess::none, .programs = ProgramAccess::none, .private_temporary = true};
  const StricterConfinement made = both(one, other);
  BOOST_TEST(made.conflict == "");
  BOOST_TEST((made.confinement.files == FileAccess::read_only));
  BOOST_TEST((made.confinement.network == NetworkAccess::none));
  BOOST_TEST((made.confinement.programs == ProgramAccess::none));
  BOOST_TEST(made.confinement.program_files.empty());
  BOOST_TEST(made.confinement.private_temporary);
  BOOST_TEST((both({}, work).confinement == work));
  BOOST_TEST((both(work, work).confinement == work));
  BOOST_TEST((both({}, one).confinement == one));
}

BOOST_AUTO_TEST_CASE(limits_are_the_smaller_ones_and_none_is_no_limit) {
  const Confinement one{.limits = {.memory = 100, .cpu_seconds = 5, .file_size = 7}};
  const Confinement other{.limits = {.memory = 50, .cpu_seconds = 9, .open_files = 8, .processes = 3}};
  const ResourceLimits expected{.memory = 50, .cpu_seconds = 5, .file_size = 7, .open_files = 8, .processes = 3};
  BOOST_TEST((both(one, other).confinement.limits == expected));
  const Confinement node{.limits = {.memory = 100, .memory_count = MemoryCount::private_data}};
  BOOST_TEST((both(node, {}).confinement.limits == node.limits));
  BOOST_TEST((both(node, other).confinement.limits.memory_count == MemoryCount::address_space));
}

BOOST_AUTO_TEST_CASE(a_program_may_start_without_what_the_kernel_lacks_only_if_both_say_so) {
  const Confinement may{.network = NetworkAccess::none, .may_degrade = true};
  BOOST_TEST(both(may, may).confinement.may_degrade);
  BOOST_TEST(!both(may, {.network = NetworkAccess::none}).confinement.may_degrade);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_compared_is_a_conflict) {
  BOOST_TEST(both({.files = FileAccess::read_only}, work).conflict.find("\"read-only\"") != std::string::npos);
  Confinement elsewhere = work;
  elsewhere.workspace = {"/x"};
  BOOST_TEST(both(work, elsewhere).conflict == R"("files": the two name different folders)");
  elsewhere = work;
  elsewhere.readable = {};
  BOOST_TEST(both(work, elsewhere).conflict == R"("files": the two name different folders)");
  const auto listed = [](const char* program) {
    return Confinement{.programs = ProgramAccess::listed, .program_files = {program}};
  };
  BOOST_TEST(both(listed("git"), listed("sh")).conflict == R"("programs": the two lists differ)");
  BOOST_TEST(both(listed("git"), listed("git")).conflict == "");
}

BOOST_AUTO_TEST_CASE(a_workspace_without_folders_is_the_one_of_the_binding_or_its_directory) {
  const Confinement wanted{.files = FileAccess::workspace};
  ProcessSettings own = settings(R"({"argv": ["x"], "confinement": {"files": "workspace", "workspace": ["a"]}})");
  const Confinement before = own.confinement;
  BOOST_TEST(confine_further(own, wanted) == "");
  BOOST_TEST((own.confinement == before));
  ProcessSettings placed = settings(R"({"argv": ["x"], "directory": "d"})");
  BOOST_TEST(confine_further(placed, wanted) == "");
  BOOST_TEST(placed.confinement.workspace == std::vector<std::string>{"/base/d"}, boost::test_tools::per_element());
  ProcessSettings none = settings(R"({"argv": ["x"]})");
  BOOST_TEST(confine_further(none, wanted).starts_with("expected \"workspace\""));
  BOOST_TEST(!none.confinement.is_confined());
  ProcessSettings other = settings(R"({"argv": ["x"], "confinement": {"files": "read-only"}})");
  BOOST_TEST(confine_further(other, {.files = FileAccess::workspace, .workspace = {"/w"}})
                 .starts_with("in conflict with that of its binding: \"files\""));
}
