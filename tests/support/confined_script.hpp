// Python scripts that run confined, and what they report.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <toolwire/system/find_program.hpp>
#include "file_content.hpp"
#include "process/runner.hpp"
#include "scratch_folder.hpp"
#include "system/kernel.hpp"

namespace toolwire_test {

using namespace toolwire::bridge;
using std::chrono::steady_clock;
namespace unit_test = boost::unit_test;

inline boost::test_tools::assertion_result has_landlock(unit_test::test_unit_id) {
  return kernel_support().landlock > 0;
}
inline boost::test_tools::assertion_result has_scopes(unit_test::test_unit_id) {
  return kernel_support().landlock >= 6;
}

inline boost::test_tools::assertion_result has_landlock_and_node(unit_test::test_unit_id) {
  const char* const path = std::getenv("PATH");
  const auto node = path == nullptr
                        ? std::nullopt
                        : toolwire::system::find_program("node", path, toolwire::system::RelativeFolders::skipped);
  if (kernel_support().landlock == 0 || !node) return false;
  // One elsewhere would have to be listed as readable.
  const std::string file = std::filesystem::canonical(*node).string();
  return file.starts_with("/usr/") || file.starts_with("/opt/");
}

/// Settings for a tool that may only compute and change its workspace.
inline Confinement strict(const std::string& workspace) {
  return {.files = FileAccess::workspace,
          .workspace = {workspace},
          .network = NetworkAccess::none,
          .programs = ProgramAccess::none};
}

struct Script {
  std::string text;
  Confinement confinement = {};
  std::vector<std::string> arguments = {};
  KernelSupport kernel = kernel_support();
  std::chrono::milliseconds time{60'000};
};

inline ProcessEnd run(const Script& script) {
  static ProcessRunner runner;
  ProcessRequest request;
  request.start.command = {"python3", "-c", script.text};
  request.start.command.insert(request.start.command.end(), script.arguments.begin(), script.arguments.end());
  request.start.environment = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}};
  request.start.confinement = script.confinement;
  request.start.kernel = script.kernel;
  request.deadline = steady_clock::now() + script.time;
  request.output_limit = 1 << 20;
  request.grace = std::chrono::milliseconds(50);
  return runner.run(std::move(request));
}

/// What a script prints for `try: ACTION except OSError`: "done", or the name of the error.
inline std::string attempt(const std::string& action, const Confinement& confinement,
                           const std::vector<std::string>& arguments = {},
                           const KernelSupport& kernel = kernel_support()) {
  std::string text = "import os, sys, errno, socket, ctypes, subprocess\ntry:\n";
  text += "    " + action + "\n    print('done')\n";
  text += "except OSError as error:\n    print(errno.errorcode.get(error.errno, error.errno))\n";
  const ProcessEnd end = run({.text = text, .confinement = confinement, .arguments = arguments, .kernel = kernel});
  BOOST_TEST_INFO(action);
  BOOST_TEST(end.code == "", end.text);
  BOOST_TEST(end.errors == "");
  return end.output.substr(0, end.output.find('\n'));
}

}  // namespace toolwire_test
