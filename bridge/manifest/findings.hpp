// Collects the problems of one document, with their places as JSON pointers. Independent of what is checked.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/bridge/manifest.hpp>

namespace toolwire::bridge {

/// The pointer of a member or an element below `pointer` (RFC 6901: '~' and '/' escaped).
std::string below(const std::string& pointer, std::string_view member);
std::string below(const std::string& pointer, std::size_t index);

/// A value for a message: short, in quotes, made visible (toolwire/text.hpp).
std::string in_quotes(std::string_view text);

/// "; did you mean \"X\"?", X being the nearest of `known`; empty if none is near.
std::string did_you_mean(std::string_view written, std::span<const std::string_view> known);

/// One document's problems and hints, in the order found. One thread.
class Findings {
 public:
  /// A hostile document can be wrong in a million places: so many of each are kept, the rest is counted.
  static constexpr std::size_t max_kept = 200;

  explicit Findings(std::string file) : file_(std::move(file)) {}

  void problem(std::string pointer, std::string text) { add(problems_, std::move(pointer), std::move(text)); }
  void hint(std::string pointer, std::string text) { add(hints_, std::move(pointer), std::move(text)); }
  bool has_problems() const { return !problems_.list.empty(); }
  std::size_t problem_count() const { return problems_.list.size() + problems_.omitted; }

  /// What was found, with the lines of `text` that the pointers lead to.
  std::vector<ManifestProblem> take_problems(std::string_view text) { return finish(problems_, text); }
  /// The same of a document that is a file, which is read once more to find the lines.
  std::vector<ManifestProblem> take_problems_of_file();
  std::vector<ManifestProblem> take_hints_of_file();
  std::vector<ManifestProblem> take_hints(std::string_view text) { return finish(hints_, text); }

 private:
  struct Kept {
    std::vector<ManifestProblem> list = {};
    std::size_t omitted = 0;
  };
  void add(Kept& kept, std::string pointer, std::string text);
  std::vector<ManifestProblem> finish(Kept& kept, std::string_view text);

  std::string file_;
  Kept problems_;
  Kept hints_;
};

}  // namespace toolwire::bridge
