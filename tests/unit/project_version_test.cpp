// The version in the top CMakeLists.txt is that of every program and package of the repository.
#define BOOST_TEST_MODULE one version for the whole project
#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  BOOST_REQUIRE_MESSAGE(stream, "cannot read " << file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The first group of every match of `pattern` in a file of the repository.
std::vector<std::string> found(const fs::path& file, const std::string& pattern) {
  const std::string text = text_of(fs::path(TOOLWIRE_SOURCE_DIR) / file);
  const std::regex expression(pattern);
  std::vector<std::string> all;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    all.push_back((*match)[1]);
  return all;
}

std::string project_version() { return found("CMakeLists.txt", R"(project\(toolwire VERSION ([0-9.]+))").at(0); }

bool is_source(const fs::path& file) { return file.extension() == ".cpp" || file.extension() == ".hpp"; }

}  // namespace

BOOST_AUTO_TEST_CASE(packages_of_other_languages_have_it) {
  const std::string version = project_version();
  const fs::path runtimes = "bridge/runtimes";
  if (!fs::exists(fs::path(TOOLWIRE_SOURCE_DIR) / runtimes)) return;  // the folder bridge/ may be gone
  const std::vector<std::pair<fs::path, std::string>> places{
      {runtimes / "python/pyproject.toml", R"(\nversion = "([^"]+)\")"},
      {runtimes / "python/toolwire_runtime/__init__.py", R"(__version__ = "([^"]+)\")"},
      {runtimes / "typescript/package.json", R"("version": "([^"]+)\")"},
      {runtimes / "typescript/package-lock.json", R"("name": "@toolwire/runtime",\s*"version": "([^"]+)\")"}};
  for (const auto& [file, pattern] : places) {
    const std::vector<std::string> versions = found(file, pattern);
    BOOST_TEST(!versions.empty(), file << " names no version");
    for (const std::string& one : versions) BOOST_TEST(one == version, file << " says " << one);
  }
}

BOOST_AUTO_TEST_CASE(the_port_for_vcpkg_has_it) {
  BOOST_TEST(found("framework/packaging/vcpkg/ports/toolwire/vcpkg.json", R"("version": "([^"]+)\")").at(0) ==
             project_version());
}

BOOST_AUTO_TEST_CASE(lists_of_changes_begin_with_it) {
  BOOST_TEST(found("framework/docs/CHANGELOG.md", R"(\n## ([0-9.]+))").at(0) == project_version());
  BOOST_TEST(found("framework/packaging/changelog", R"(toolwire \(([0-9.]+)\))").at(0) == project_version());
}

// hello stays as a stranger would write it: its calculator has a version of its own.
BOOST_AUTO_TEST_CASE(no_program_writes_a_version_of_its_own) {
  const std::regex own(
      R"re((CommandLine line\W+"[^"]+", "|\.version = "|"version", "|toolwire-bridge )[0-9]+\.[0-9]+\.[0-9]+)re");
  for (const char* const part : {"bridge", "conformance", "servers/workspace", "servers/everything", "tests/mutants"}) {
    const fs::path folder = fs::path(TOOLWIRE_SOURCE_DIR) / part;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (!is_source(entry.path()) || entry.path().string().find("/include/") != std::string::npos) continue;
      BOOST_TEST(!std::regex_search(text_of(entry.path()), own), entry.path() << " writes a version of its own");
    }
  }
}
