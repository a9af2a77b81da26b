#include "report/badge.hpp"

#include <fmt/format.h>

namespace toolwire::conformance {
namespace {

constexpr std::string_view label = "MCP conformance";
constexpr std::size_t character_width = 7;  // about, of the 11 pixel letters below
constexpr std::size_t margin = 10;

struct Shown {
  std::string text;
  std::string_view colour, name;
};

Shown shown(const Report& report) {
  const Counts counts = counts_of(report.findings);
  const std::size_t failed = counts.of(Verdict::fail) + (report.strict ? counts.of(Verdict::warn) : 0);
  if (failed > 0) return {fmt::format("{} failed", failed), "#c0392b", "red"};
  const Verdict verdict = outcome(report);
  if (verdict == Verdict::fail) return {"baseline out of date", "#c0392b", "red"};
  if (verdict == Verdict::skip) return {"nothing judged", "#6b6b6b", "lightgrey"};
  std::string passed = fmt::format("{} passed", counts.of(Verdict::pass));
  if (const std::size_t skipped = counts.of(Verdict::skip); skipped > 0) passed += fmt::format(", {} skipped", skipped);
  if (counts.of(Verdict::warn) + counts.known == 0) return {passed, "#2e7d32", "brightgreen"};
  return {fmt::format("{}, {} to mend", passed, counts.of(Verdict::warn) + counts.known), "#9a6700", "yellow"};
}

std::string svg(const Shown& it) {
  const std::size_t left = label.size() * character_width + margin;
  const std::size_t right = it.text.size() * character_width + margin;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"20\" role=\"img\" aria-label=\"{3}: {4}\">\n"
      "<rect width=\"{1}\" height=\"20\" fill=\"#444\"/><rect x=\"{1}\" width=\"{2}\" height=\"20\" fill=\"{5}\"/>\n"
      "<g fill=\"#fff\" font-family=\"Verdana,sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n"
      "<text x=\"{6}\" y=\"14\">{3}</text><text x=\"{7}\" y=\"14\">{4}</text></g></svg>\n",
      left + right, left, right, label, it.text, it.colour, left / 2, left + right / 2);
}

std::string in_address(std::string_view text) {
  std::string out;
  for (const char c : text) c == ' ' ? out += "%20" : c == ',' ? out += "%2C" : out += c;
  return out;
}

}  // namespace

std::string badge(const Report& report, const std::string& file) {
  const Shown it = shown(report);
  if (file.ends_with(".svg")) return svg(it);
  return fmt::format("![{}: {}](https://img.shields.io/badge/{}-{}-{})\n", label, it.text, in_address(label),
                     in_address(it.text), it.name);
}

}  // namespace toolwire::conformance
