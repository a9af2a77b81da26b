// The rooms of a program: folders in an order, and includes that point down that order only.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source_files.hpp"

namespace toolwire::test {

/// Rooms of one rank do not see each other. Of a room inside a room ("activities/mcp") the rank counts among its
/// neighbours there; the files beside it, in "activities" itself, stand above it.
struct Room {
  std::filesystem::path folder;  // empty: the files beside the folders
  int rank;
};

/// A program and its rooms.
struct Rooms {
  std::string part;           // its folder
  std::string prefix;         // how its own headers begin in an include; empty: with the room
  std::string public_prefix;  // its public headers'; empty: it has none
  std::vector<Room> rooms;
};

/// The innermost room `file` is in, or null; `file` is relative to the part.
inline const Room* room_of(const Rooms& part, const std::filesystem::path& file) {
  for (std::filesystem::path folder = file.parent_path();; folder = folder.parent_path()) {
    const auto found = std::ranges::find(part.rooms, folder, &Room::folder);
    if (found != part.rooms.end() && (!folder.empty() || !file.has_parent_path())) return &*found;
    if (folder.empty()) return nullptr;
  }
}

/// Where an include leads inside the part; nothing for headers of others.
inline std::optional<std::filesystem::path> own_header(const Rooms& part, const std::filesystem::path& from,
                                                       std::string_view name) {
  if (!part.public_prefix.empty() && name.starts_with(part.public_prefix))
    return "include" / std::filesystem::path(name);
  if (name.find('/') == std::string_view::npos && name.ends_with(".hpp")) return from.parent_path() / name;
  if (!name.starts_with(part.prefix)) return std::nullopt;
  const std::filesystem::path header = name.substr(part.prefix.size());
  const bool in_a_room = std::ranges::any_of(
      part.rooms, [&](const Room& room) { return !room.folder.empty() && *room.folder.begin() == *header.begin(); });
  return in_a_room ? std::optional(header) : std::nullopt;
}

inline bool may_include(const Rooms& part, const Room& from, const Room& to) {
  const auto [high, low] = std::mismatch(from.folder.begin(), from.folder.end(), to.folder.begin(), to.folder.end());
  if (high == from.folder.end()) return true;  // the same room, or one inside
  if (low == to.folder.end()) return false;    // the room around it
  std::filesystem::path around;
  for (auto step = from.folder.begin(); step != high; ++step) around /= *step;
  const auto rank = [&](const std::filesystem::path& folder) {
    return std::ranges::find(part.rooms, folder, &Room::folder)->rank;
  };
  return rank(around / *high) > rank(around / *low);
}

/// What is wrong with the includes of a file: "bridge/http/x.cpp includes policy/y.hpp".
inline std::vector<std::string> wrong_includes(const Rooms& part, const Source& source) {
  std::vector<std::string> wrong;
  const std::string file = part.part + "/" + source.path.string();
  const Room* const from = room_of(part, source.path);
  if (from == nullptr) return {file + " stands in no room of the table"};
  for (const std::string& name : includes_of(source)) {
    const auto header = own_header(part, source.path, name);
    if (!header) continue;
    const Room* const to = room_of(part, *header);
    if (to == nullptr || !may_include(part, *from, *to)) wrong.push_back(file + " includes " + name);
  }
  return wrong;
}

}  // namespace toolwire::test
