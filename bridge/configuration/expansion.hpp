// Places in the values of a configuration that stand for something else: ${VARIABLE}, ${VARIABLE:-otherwise},
// ${env:VARIABLE}, ${file:PATH}, ${cmd:PROGRAM ARGUMENT…}. Starts nothing and knows no member by name.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// Where the values come from. What cannot be had is thrown as std::exception with a sentence that says what was
/// expected.
struct ExpansionSources {
  std::function<std::optional<std::string>(const std::string& name)> variable = {};
  std::function<std::string(const std::string& path)> file = {};  // its content
  /// What a program has written; nothing if commands are not allowed here.
  std::function<std::string(const std::string& command)> command = {};
};

/// Shorter values are no secrets: they are in every text. In bytes.
inline constexpr std::size_t shortest_secret = 4;

/// Whether contents of files and output of programs, which may be secrets, are for this value: not where messages or
/// other programs show it.
enum class SecretPlaces { allowed, refused };

/// One thread.
class Expansion {
 public:
  explicit Expansion(ExpansionSources sources) : sources_(std::move(sources)) {}

  /// The text with its places filled in: once, what comes out is not looked into. "$${" stands for "${". A place that
  /// cannot be filled is a problem at `pointer`, and the text is left out.
  std::optional<std::string> expand(std::string_view text, const std::string& pointer, Findings& findings,
                                    SecretPlaces secret_places = SecretPlaces::allowed);

  /// The content of a file, from the same source as that of "${file:PATH}". Throws as the source does.
  std::string content_of(const std::string& path) const { return sources_.file(path); }

  /// What came from files and programs: nobody else is to read it.
  const std::vector<std::string>& secrets() const { return secrets_; }

 private:
  std::string value_of(const std::string& place);
  std::string variable(const std::string& name) const;
  std::string secret(std::string value);

  const ExpansionSources sources_;
  std::vector<std::string> secrets_;
};

}  // namespace toolwire::bridge
