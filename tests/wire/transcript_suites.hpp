// Transcripts as test cases: for programs that replay all of them against a server.
#pragma once

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "transcript.hpp"

namespace toolwire_test {

inline std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

/// Registers one test case for every transcript below tests/wire/ that `applies`, in a suite named after its folder.
/// For the initializer of a global.
inline bool add_transcripts(
    const ServerMaker& maker,
    const std::function<bool(const std::string& folder, const std::string& name)>& applies = {}) {
  namespace ut = boost::unit_test;
  for (const auto& folder : sorted_entries(std::filesystem::path(TOOLWIRE_SOURCE_DIR) / "tests" / "wire")) {
    if (!std::filesystem::is_directory(folder)) continue;
    ut::test_suite* const suite = BOOST_TEST_SUITE(folder.filename().string());
    for (const auto& file : sorted_entries(folder)) {
      if (file.extension() != ".jsonl") continue;
      const std::string name = file.stem().string();
      if (applies && !applies(folder.filename().string(), name)) continue;
      suite->add(ut::make_test_case([file, maker] { replay(file, maker); }, name, __FILE__, __LINE__));
    }
    ut::framework::master_test_suite().add(suite);
  }
  return true;
}

}  // namespace toolwire_test
