// Which transcripts below tests/wire/ are replayed in which revision, and the steps they have there. Does not interpret
// the steps.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/json.hpp"

namespace toolwire_test {

/// A file to be replayed in one revision. A file of tests/wire/legacy/ becomes several of these.
struct Transcript {
  std::filesystem::path file;
  std::string revision;  // or the name of another folder: "dual-era"

  std::string name() const { return file.stem().string(); }
};

struct TranscriptStep {
  int line;  // of the file, from 1
  toolwire::JsonObject content;
};

/// The revisions with a handshake, and the other folders that hold transcripts.
std::vector<std::string> transcript_revisions();

/// Sorted by name. A file in the revision's own folder replaces one of the same name in legacy/. Throws
/// std::runtime_error if a first line cannot be read.
std::vector<Transcript> transcripts_of(std::string_view revision);

/// The steps that apply in the transcript's revision, with `<revision>` replaced by it. Throws std::runtime_error that
/// names the line if one is not a JSON object, or is limited to a revision there is not.
std::vector<TranscriptStep> steps_of(const Transcript& transcript);

}  // namespace toolwire_test
