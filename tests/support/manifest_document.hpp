// The manifest of the discovery document, changed in one place, and the problems found in it.
#pragma once

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <toolwire/bridge/manifest.hpp>
#include <vector>

namespace toolwire_test {

using toolwire::Json;
using toolwire::parse_json;
using toolwire::to_json_text;
using toolwire::bridge::ManifestOrigin;
using toolwire::bridge::ManifestProblem;
using toolwire::bridge::ManifestReading;
using toolwire::bridge::read_manifest;

inline const std::string seed_path = TOOLWIRE_SOURCE_DIR "/tests/support/data/seed_manifest.json";

inline std::string seed_text() {
  std::ifstream file(seed_path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Sets the member or element at a pointer.
inline void put(Json& document, std::string_view pointer, const Json& value) {
  const std::size_t last = pointer.rfind('/');
  Json& parent = last == 0 ? document : document.at_pointer(pointer.substr(0, last));
  const std::string name(pointer.substr(last + 1));
  if (parent.is_array()) {
    parent.get_array().at(std::stoul(name)) = value;
  } else {
    parent.as_object()[name] = value;
  }
}

/// The document with one place changed.
inline std::string with(std::string_view path, const Json& value) {
  Json document = parse_json(seed_text());
  put(document, path, value);
  return to_json_text(document);
}

inline std::string without(std::string_view path, std::string_view member) {
  Json document = parse_json(seed_text());
  Json& parent = path.empty() ? document : document.at_pointer(path);
  parent.as_object().erase(member);
  return to_json_text(document);
}

/// "pointer: text" of each problem.
inline std::vector<std::string> manifest_problems(const std::string& text,
                                                  ManifestOrigin origin = ManifestOrigin::own) {
  std::vector<std::string> list;
  const ManifestReading reading = read_manifest(text, "m.json", origin);
  BOOST_TEST(reading.manifest.has_value() == reading.problems.empty());
  for (const ManifestProblem& problem : reading.problems) {
    BOOST_TEST_MESSAGE(problem.message());
    list.push_back(problem.pointer + ": " + problem.text);
  }
  return list;
}

inline bool one_problem(const std::string& text, std::string_view pointer, std::string_view part) {
  const auto problems = manifest_problems(text);
  return problems.size() == 1 && problems[0].starts_with(std::string(pointer) + ": ") &&
         problems[0].find(part) != std::string::npos;
}

inline bool hinted(const std::string& text, std::string_view pointer) {
  const ManifestReading reading = read_manifest(text, "m.json");
  return reading.manifest &&
         std::ranges::any_of(reading.hints, [&](const auto& hint) { return hint.pointer == pointer; });
}

}  // namespace toolwire_test
