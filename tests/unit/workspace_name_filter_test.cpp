#include "workspace/names/name_filter.hpp"

#define BOOST_TEST_MODULE workspace_name_filter_test
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <toolwire/error.hpp>

#include "workspace/names/file_types.hpp"

using workspace::NameChoice;
using workspace::NameFilter;

namespace {

bool takes(const NameChoice& choice, std::string_view path) { return NameFilter{choice}.takes(path, false); }
bool glob_takes(const std::string& glob, std::string_view path) { return takes({.glob = glob}, path); }

std::string complaint(const NameChoice& choice) {
  try {
    const NameFilter filter{choice};
  } catch (const toolwire::ToolError& error) {
    return error.what();
  }
  return {};
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_choice_everything_is_taken) {
  BOOST_TEST(NameFilter{{}}.is_empty());
  BOOST_TEST(takes({}, "a/b"));
  BOOST_TEST(NameFilter{{}}.takes("a", true));
}

BOOST_AUTO_TEST_CASE(an_exclamation_mark_leaves_out) {
  BOOST_TEST(!glob_takes("!*.py", "a/x.py"));
  BOOST_TEST(glob_takes("!*.py", "a/x.txt"));
  BOOST_TEST(glob_takes("*.py,!test_*", "a/x.py"));
  BOOST_TEST(!glob_takes("*.py,!test_*", "a/test_x.py"));
  BOOST_TEST(!glob_takes("*.py,!test_*", "a/x.txt"));
  BOOST_TEST(glob_takes("!*.py,x.py", "x.py"));  // the last that fits decides
  BOOST_TEST(glob_takes("\\!x", "!x"));
}

BOOST_AUTO_TEST_CASE(a_comma_separates_but_not_in_braces_sets_or_behind_a_backslash) {
  for (const char* glob : {"*.py,*.txt", "*.py, *.txt", "{*.py,*.txt}", "*.{py,txt}", "*.{py,{txt,md}}"}) {
    BOOST_TEST(glob_takes(glob, "a/x.py"), glob);
    BOOST_TEST(glob_takes(glob, "x.txt"), glob);
    BOOST_TEST(!glob_takes(glob, "x.cpp"), glob);
  }
  BOOST_TEST(glob_takes("a[,]b", "a,b"));
  BOOST_TEST(glob_takes("a[!],]b", "axb"));
  BOOST_TEST(!glob_takes("a[!],]b", "a,b"));
  BOOST_TEST(glob_takes("a\\,b", "a,b"));
  BOOST_TEST(!glob_takes("a,b", "a,b"));
}

BOOST_AUTO_TEST_CASE(a_slash_at_the_end_means_a_directory_and_all_below_it) {
  BOOST_TEST(glob_takes("src/", "src/a/x.cpp"));
  BOOST_TEST(glob_takes("src/", "lib/src/x.cpp"));
  BOOST_TEST(!glob_takes("src/", "src"));  // a file
  BOOST_TEST(!glob_takes("src/", "srcs/x"));
  BOOST_TEST(NameFilter{{.glob = "src/"}}.takes("src", true));
  BOOST_TEST(!glob_takes("/src/", "lib/src/x.cpp"));
  BOOST_TEST(glob_takes("./lib/src/", "lib/src/x.cpp"));
  BOOST_TEST(!glob_takes("lib/src/", "x/lib/src/x.cpp"));
  BOOST_TEST(glob_takes("src/,!*.md", "src/x.cpp"));
  BOOST_TEST(!glob_takes("src/,!*.md", "src/x.md"));
}

BOOST_AUTO_TEST_CASE(a_directory_that_is_left_out_is_not_entered) {
  for (const char* glob : {"!build", "!build/", "!**/build", "!b*,!x"}) {
    BOOST_TEST(NameFilter{{.glob = glob}}.passes_by("a/build"), glob);
    BOOST_TEST(!NameFilter{{.glob = glob}}.passes_by("a/src"), glob);
  }
  BOOST_TEST(!NameFilter{{.glob = "*.cpp"}}.passes_by("a"));
  BOOST_TEST(!NameFilter{{.glob = "!/build/"}}.passes_by("a/build"));
}

BOOST_AUTO_TEST_CASE(case_matters_unless_it_is_said_not_to) {
  BOOST_TEST(!glob_takes("*.md,readme", "README.MD"));
  BOOST_TEST(takes({.glob = "*.md", .ignore_case = true}, "README.MD"));
  BOOST_TEST(takes({.glob = "\u00c9t\u00e9*", .ignore_case = true}, "\u00e9T\u00c9.txt"));
  BOOST_TEST(takes({.glob = "SRC/", .ignore_case = true}, "src/x"));
}

BOOST_AUTO_TEST_CASE(a_type_stands_for_the_names_of_its_files) {
  for (const char* name : {"a/x.cpp", "x.hpp", "x.h", "x.cc", "x.hpp.in"})
    BOOST_TEST(takes({.type = "cpp"}, name), name);
  BOOST_TEST(!takes({.type = "cpp"}, "x.py"));
  BOOST_TEST(!takes({.type = "cpp"}, "cpp"));
  BOOST_TEST(takes({.type = "cpp, cmake"}, "a/CMakeLists.txt"));
  BOOST_TEST(takes({.type = "make"}, "GNUmakefile"));
  BOOST_TEST(!takes({.type = "!md"}, "README.md"));
  BOOST_TEST(takes({.type = "!md"}, "README"));
  BOOST_TEST(!takes({.glob = "!*_test.*", .type = "cpp"}, "x_test.cpp"));
  BOOST_TEST(!takes({.glob = "*.py", .type = "cpp"}, "x.py"));
  BOOST_TEST(!NameFilter{{.type = "cpp"}}.takes("x.cpp", true));  // a directory
  for (const char* name : {"python", "Python", "c++", "C++", "javascript", "TS", "typescript", "golang"})
    BOOST_TEST(complaint({.type = name}).empty(), name);
}

BOOST_AUTO_TEST_CASE(the_table_is_sound_and_other_names_for_a_type_lead_to_one) {
  std::set<std::string_view> names;
  for (const workspace::FileType& type : workspace::file_types) {
    BOOST_TEST(names.insert(type.name).second, type.name);
    BOOST_TEST(complaint({.type = std::string(type.name)}).empty(), type.name);
  }
  for (const workspace::FileTypeAlias& alias : workspace::file_type_aliases) {
    BOOST_TEST(!names.contains(alias.written), alias.written);
    BOOST_TEST(names.contains(alias.name), alias.written);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_type_is_refused_with_the_nearest) {
  BOOST_TEST(complaint({.type = "cmkae"})
                 .starts_with("type: there is no type \"cmkae\"; did you mean \"cmake\"? Expected the name of a kind "
                              "of files, such as cpp"));
  BOOST_TEST(says(complaint({.type = "hrl"}), "did you mean \"erlang\"?"));  // the ending of its files
  BOOST_TEST(says(complaint({.type = "*.tsx"}), "did you mean \"ts\"?"));
  BOOST_TEST(says(complaint({.type = "cpp,.mm"}), "\".mm\"; did you mean \"objcpp\"?"));
  BOOST_TEST(says(complaint({.type = "quite another thing"}), "\"quite another thing\"; expected the name"));
  BOOST_TEST(says(complaint({.type = "cpp,"}), "expected the name"));
  BOOST_TEST(says(complaint({.type = "!"}), "expected the name"));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_meant_is_refused_with_what_is_expected) {
  for (const char* glob : {",", "*.py,", "*.py,,*.txt", "!", "!!x", "/", "*.py|*.txt", "*.py;*.txt", "^src/.*",
                           "x\\.py$", ".*\\.py", "../x", "a/../b", "..", "src\\main.cpp", " "}) {
    const std::string said = complaint({.glob = glob});
    BOOST_TEST(said.starts_with("glob: "), glob);
    BOOST_TEST(says(said, "separated by commas"), said);
  }
  for (const char* glob : {"[a", "{a,b", "a,[z-a]"})
    BOOST_TEST(says(complaint({.glob = glob}), "expected a pattern of *"), glob);
  for (const char* glob : {",", "*.py|*.txt", "../x", "[a", "{a,b", "a\\"})
    BOOST_TEST(complaint({.glob = glob, .argument = "pattern"}).starts_with("pattern: "), glob);
  for (const char* glob : {"a b", "x|y", "*$HOME*", "a\\*b", "#x", "a;b"})
    BOOST_TEST(complaint({.glob = glob}).empty(), glob);
  std::string many;
  for (int i = 0; i < 101; ++i) many += "*.a,";
  BOOST_TEST(says(complaint({.glob = many + "b"}), "more than 100"));
}
