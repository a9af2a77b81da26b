#include "manifest/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include <toolwire/system/file_text.hpp>
#include <toolwire/system/nearest_name.hpp>
#include <toolwire/text.hpp>

#include "manifest/commented_json.hpp"
#include "manifest/line_of.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_quote = 60;
constexpr std::size_t max_searched = std::size_t{1} << 20;  // every search starts at the beginning

/// Places are found in what can still be read.
std::string content_of(const std::string& file) {
  try {
    return system::text_of_file(file);
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace

std::string below(const std::string& pointer, std::string_view member) {
  std::string place = pointer + '/';
  for (const char c : member) {
    if (c == '~') {
      place += "~0";
    } else if (c == '/') {
      place += "~1";
    } else {
      place += c;
    }
  }
  return place;
}

std::string below(const std::string& pointer, std::size_t index) { return pointer + '/' + std::to_string(index); }

std::string in_quotes(std::string_view text) {
  const std::string_view shown = text::head(text, max_quote);
  return '"' + text::visible(shown) + (shown.size() < text.size() ? "…\"" : "\"");
}

std::string did_you_mean(std::string_view written, std::span<const std::string_view> known) {
  const std::string_view nearest = system::nearest_name(written, known);
  return nearest.empty() ? std::string() : "; did you mean " + in_quotes(nearest) + "?";
}

std::string ManifestProblem::message() const {
  std::string place = file;
  if (line != 0) place += fmt::format("{}{}", place.empty() ? "line " : ":", line);
  if (!pointer.empty()) place += (place.empty() ? "" : ": ") + pointer;
  return text::visible(place.empty() ? text : place + ": " + text, text::lines);
}

std::vector<ManifestProblem> Findings::take_problems_of_file() {
  return has_problems() ? take_problems(content_of(file_)) : std::vector<ManifestProblem>();
}

std::vector<ManifestProblem> Findings::take_hints_of_file() {
  return hints_.list.empty() ? std::vector<ManifestProblem>() : take_hints(content_of(file_));
}

void Findings::add(Kept& kept, std::string pointer, std::string text) {
  if (kept.list.size() == max_kept) {
    ++kept.omitted;
    return;
  }
  kept.list.push_back({file_, 0, std::move(pointer), std::move(text)});
}

std::vector<ManifestProblem> Findings::finish(Kept& kept, std::string_view text) {
  const bool is_cheap = text.size() <= max_searched;
  const std::string plain = is_cheap && !kept.list.empty() ? without_comments(text) : std::string();
  for (ManifestProblem& problem : kept.list) problem.line = is_cheap ? line_of(plain, problem.pointer) : 0;
  if (kept.omitted > 0) kept.list.push_back({file_, 0, "", fmt::format("and {} more", kept.omitted)});
  return std::move(kept.list);
}

}  // namespace toolwire::bridge
