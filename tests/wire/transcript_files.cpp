#include "transcript_files.hpp"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

namespace toolwire_test {
namespace {

using std::filesystem::path;
using toolwire::Json;
using toolwire::JsonObject;

constexpr std::array<std::string_view, 4> legacy_revisions{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
constexpr std::string_view legacy_folder = "legacy";

bool is_legacy(std::string_view revision) {
  return std::find(legacy_revisions.begin(), legacy_revisions.end(), revision) != legacy_revisions.end();
}

path wire_folder() { return path(TOOLWIRE_SOURCE_DIR) / "tests" / "wire"; }

std::vector<path> transcript_files_in(const path& folder) {
  std::vector<path> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  return files;
}

/// Whether a step, or the transcript that begins with this line, applies: it says so in `revisions`, or applies to all.
bool applies_to(const JsonObject& step, std::string_view revision) {
  const Json* revisions = step.if_contains("revisions");
  if (revisions == nullptr) return true;
  bool applies = false;
  for (const Json& one : revisions->as_array()) {
    const std::string_view named = one.as_string();
    if (!is_legacy(named)) throw std::runtime_error("there is no legacy revision \"" + std::string(named) + "\"");
    if (named == revision) applies = true;
  }
  return applies;
}

JsonObject parsed_line(std::string line, const std::string& revision) {
  boost::replace_all(line, "<revision>", revision);
  return toolwire::parse_json(line, {.max_depth = 1000}).as_object();
}

/// Whether the line is no step, but limits the whole transcript.
bool is_limit(const JsonObject& line) { return line.size() == 1 && line.begin()->key() == "revisions"; }

bool is_replayed(const path& file, const std::string& revision) {
  std::ifstream lines(file);
  std::string first;
  std::getline(lines, first);
  try {
    const JsonObject line = parsed_line(first, revision);
    return !is_limit(line) || applies_to(line, revision);
  } catch (const std::exception& error) {
    throw std::runtime_error(file.string() + ":1: " + error.what());
  }
}

}  // namespace

std::vector<std::string> transcript_revisions() {
  std::set<std::string> names(legacy_revisions.begin(), legacy_revisions.end());
  for (const auto& entry : std::filesystem::directory_iterator(wire_folder())) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && name != legacy_folder) names.insert(name);
  }
  return {names.begin(), names.end()};
}

std::vector<Transcript> transcripts_of(std::string_view revision) {
  const std::string name(revision);
  std::map<std::string, path> files;
  for (const path& file : transcript_files_in(wire_folder() / name)) files.emplace(file.stem().string(), file);
  if (is_legacy(revision)) {
    for (const path& file : transcript_files_in(wire_folder() / legacy_folder)) {
      if (is_replayed(file, name)) files.emplace(file.stem().string(), file);
    }
  }
  std::vector<Transcript> transcripts;
  transcripts.reserve(files.size());
  for (const auto& [stem, file] : files) transcripts.push_back({file, name});
  return transcripts;
}

std::vector<TranscriptStep> steps_of(const Transcript& transcript) {
  std::vector<TranscriptStep> steps;
  std::ifstream lines(transcript.file);
  int number = 0;
  try {
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.empty()) continue;
      JsonObject step = parsed_line(std::move(line), transcript.revision);
      if (is_limit(step) || !applies_to(step, transcript.revision)) continue;
      step.erase("revisions");
      steps.push_back({number, std::move(step)});
    }
  } catch (const std::exception& error) {
    throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
  }
  return steps;
}

}  // namespace toolwire_test
