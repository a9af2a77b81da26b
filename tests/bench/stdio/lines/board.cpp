#include "lines/board.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bench/clock.hpp"

namespace toolwire::bench {
namespace {

std::string number(double value) {
  const double size = std::abs(value);
  if (size >= 1000 || value == std::floor(value)) return fmt::format("{:.0f}", value);
  if (size >= 100) return fmt::format("{:.1f}", value);
  if (size >= 0.1) return fmt::format("{:.2f}", value);
  return fmt::format("{:.4f}", value);
}

std::string with_unit(double value, std::string_view unit) {
  return unit.empty() ? number(value) : fmt::format("{} {}", number(value), unit);
}

std::string limit_text(const Line& line) {
  if (line.bound == Bound::none) return "";
  return (line.bound == Bound::at_most ? "≤ " : "≥ ") + with_unit(line.limit, line.unit);
}

std::string verdict(const Line& line, double value) {
  if (line.bound == Bound::none) return "";
  const bool reached = line.bound == Bound::at_most ? value <= line.limit : value >= line.limit;
  return reached ? "reached" : "NOT reached";
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

}  // namespace

Board::Entry& Board::entry(std::string_view line) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.line == line; });
  if (found != entries_.end()) return *found;
  return entries_.emplace_back(Entry{std::string(line), {}, {}});
}

const Board::Entry* Board::find(std::string_view line) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.line == line; });
  return found == entries_.end() ? nullptr : &*found;
}

void Board::add(std::string_view line, double value, const Figures& figures) {
  Entry& one = entry(line);
  one.values.push_back(value);
  for (const auto& [name, figure] : figures) {
    const auto same = [&name = name](const auto& known) { return known.first == name; };
    auto known = std::find_if(one.figures.begin(), one.figures.end(), same);
    if (known == one.figures.end()) known = one.figures.insert(known, {name, {}});
    known->second.push_back(figure);
  }
}

void Board::note(std::string text) {
  if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) notes_.push_back(std::move(text));
}

std::string Board::table(const std::vector<Line>& lines) const {
  std::string out = "| line | | limit | measured | verdict | figures |\n|---|---|---|---|---|---|\n";
  for (const Line& line : lines) {
    const Entry* one = find(line.name);
    if (one == nullptr) continue;
    const double value = median(one->values);
    std::string figures;
    for (const auto& [name, values] : one->figures)
      figures += fmt::format("{}{} {}", figures.empty() ? "" : ", ", name, number(median(values)));
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", line.name, line.text, limit_text(line),
                       with_unit(value, line.unit), verdict(line, value), figures);
  }
  for (const std::string& text : notes_) out += "\nNote: " + text + "\n";
  return out;
}

std::string Board::json(const std::vector<Line>& lines) const {
  std::string out;
  for (const Line& line : lines) {
    const Entry* one = find(line.name);
    if (one == nullptr) continue;
    std::string figures;
    for (const auto& [name, values] : one->figures)
      figures += fmt::format("{}{}: [{:.9g}]", figures.empty() ? "" : ", ", in_quotes(name), fmt::join(values, ", "));
    const double value = median(one->values);
    out += fmt::format(
        "{}\n  {}: {{\"value\": {:.9g}, \"limit\": {}, \"unit\": {}, \"verdict\": {}, \"rounds\": [{:.9g}], "
        "\"figures\": {{{}}}}}",
        out.empty() ? "" : ",", in_quotes(line.name), value,
        line.bound == Bound::none ? "null" : fmt::format("{:.9g}", line.limit), in_quotes(line.unit),
        in_quotes(verdict(line, value)), fmt::join(one->values, ", "), figures);
  }
  return "{" + out + "\n}\n";
}

}  // namespace toolwire::bench
