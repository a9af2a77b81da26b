// Reads the members of one object of settings, of which each is a mistake that nobody knows or that is not what it has
// to be. Knows no particular object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// "a, b, c".
std::string list_of(std::span<const std::string_view> names);

/// Lives no longer than what it is given. One thread.
class SettingsReader {
 public:
  /// Where the file has what stands at a pointer of the settings.
  using PlaceOf = std::function<std::string(const std::string& pointer)>;

  /// `root`: the pointer of the object.
  SettingsReader(const JsonObject& json, std::string root, const PlaceOf& place_of, Findings& findings)
      : json_(json), root_(std::move(root)), place_of_(place_of), findings_(findings) {}

  [[nodiscard]] bool has(std::string_view name) const { return json_.contains(name); }
  void refuse_unknown(std::span<const std::string_view> known);
  /// Empty if it is not there or no text with characters, which is said where it is there.
  std::string text(std::string_view name);
  /// One that has to be there; `example` follows "as".
  std::string needed_text(std::string_view name, std::string_view example);
  std::optional<std::int64_t> number(std::string_view name, std::int64_t least, std::int64_t most);
  /// Those that are there; a list that is there has to have some.
  std::optional<std::vector<std::string>> texts(std::string_view name);

  void problem(std::string_view name, const std::string& text);
  /// Of one of a list.
  void problem(std::string_view name, std::size_t index, const std::string& text);
  [[nodiscard]] bool is_fine() const { return is_fine_; }

 private:
  void problem_at(const std::string& pointer, const std::string& text);

  const JsonObject& json_;
  const std::string root_;
  const PlaceOf& place_of_;
  Findings& findings_;
  bool is_fine_ = true;
};

}  // namespace toolwire::bridge
