// What file_info reports about a path. Independent of the protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <toolwire/describe.hpp>

#include "workspace/system/roots.hpp"

namespace workspace {

struct FileFacts {
  std::string path;
  std::string kind;
  std::uint64_t size = 0;
  std::string modified;
  std::string mode;
  std::optional<std::uint64_t> files = {}, directories = {};
  bool is_incomplete = false;
  std::optional<std::string> link_target = {};
  std::optional<std::string> encoding = {};
  std::optional<std::string> mime_type = {};
  std::optional<std::uint64_t> lines = {};
  std::optional<std::string> hash = {};

  static constexpr auto describe() {
    using toolwire::field;
    return toolwire::fields(
        field<&FileFacts::path>("Relative to the root"),
        field<&FileFacts::kind>("file, directory, symbolic link, named pipe, socket, device"),
        field<&FileFacts::size>("Bytes; of a directory those of all files below it"),
        field<&FileFacts::modified>("Time of the last change, UTC"),
        field<&FileFacts::mode>("Permission bits, octal, such as 0644"),
        field<&FileFacts::files>("Below a directory, without .git, the trash and files with secrets"),
        field<&FileFacts::directories>("Below a directory"),
        field<&FileFacts::is_incomplete>("Whether a directory holds more, that could not be looked at")
            .named("isIncomplete"),
        field<&FileFacts::link_target>("What a symbolic link holds").named("linkTarget"),
        field<&FileFacts::encoding>("Of a text file; binary for others"),
        field<&FileFacts::mime_type>("By the name of the file, or the first bytes of an image").named("mimeType"),
        field<&FileFacts::lines>("Of a text file"), field<&FileFacts::hash>("Digest of the content"));
  }
};

/// Throws ToolError if there is nothing, or it is outside.
FileFacts file_facts(const Located& where, const std::stop_token& stop);

/// A line for each fact.
std::string text_of(const FileFacts& facts);

}  // namespace workspace
