#include "features/truncate_result.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "features/read_output.hpp"
#include "toolwire/system/log_line.hpp"
#include "types/block_text.hpp"

namespace toolwire::features {
namespace {

/// All texts of a result in one, a line each at least.
std::string joined_texts(const ToolResult& result) {
  std::string all;
  for (const Content& content : result.content) {
    const auto text = text_in(content);
    if (!text) continue;
    if (!all.empty() && all.back() != '\n') all += '\n';
    all += *text;
  }
  return all;
}

/// Puts `text` in the place of the first text, and takes the others away.
void replace_texts(ToolResult& result, std::string text) {
  bool placed = false;
  std::erase_if(result.content, [&](Content& content) {
    if (!text_in(content)) return false;
    if (placed) return true;
    types::set_text(content, std::move(text));
    placed = true;
    return false;
  });
}

JsonObject record_of(std::string_view text, const TextCut& cut, const std::string& cursor) {
  JsonObject record{{"lines", cut.lines},
                    {"shownLines", cut.shown_lines},
                    {"bytes", text.size()},
                    {"shownBytes", text.size() - (cut.gap_end - cut.gap_begin)},
                    {"gap", JsonObject{{"begin", cut.gap_begin}, {"end", cut.gap_end}}}};
  if (!cursor.empty()) record["cursor"] = cursor;
  return record;
}

std::string how_to_go_on(const std::string& cursor) {
  if (cursor.empty()) return {};
  return "Call " + std::string(read_output_name) + " with {\"cursor\":\"" + cursor + "\"} to read it.";
}

std::size_t text_bytes(const ToolResult& result) {
  std::size_t bytes = 0;
  for (const Content& content : result.content) {
    if (const auto text = text_in(content)) bytes += text->size() + 1;
  }
  return bytes;
}

ToolResult too_large(std::size_t bytes, const OutputBudget& budget) {
  return failure("too_large",
                 "The structured result has " + std::to_string(bytes) + " bytes; at most " +
                     std::to_string(budget.bytes) + " are given to a model, and it is never cut. Ask for less." +
                     (budget.advice.empty() ? "" : " " + budget.advice),
                 false);
}

ToolResult truncated(ToolResult&& result, const Truncation& truncation, const std::string& cursor) {
  const auto& [text, cut, budget] = truncation;
  replace_texts(result, shown(text, cut, how_to_go_on(cursor), budget.advice));
  result.meta[output_key] = record_of(text, cut, cursor);
  return std::move(result);
}

}  // namespace

std::optional<Truncation> truncation_of(ToolResult& result, const OutputBudget& budget) {
  if (result.meta.contains(output_key)) return std::nullopt;
  if (result.structured) {
    const std::size_t bytes = to_json_text(*result.structured).size();
    if (bytes > budget.bytes) {
      result = too_large(bytes, budget);
      return std::nullopt;
    }
  }
  if (text_bytes(result) <= std::min(budget.bytes, budget.lines)) return std::nullopt;
  std::string text = joined_texts(result);
  const auto cut = cut_for(text, budget);
  if (!cut) return std::nullopt;
  return Truncation{std::move(text), *cut, budget};
}

void truncate_result(ToolResult&& result, Truncation&& truncation, const KeptOutputs& kept, std::string_view caller,
                     std::function<void(ToolResult&&)> then) {
  struct Rest {
    ToolResult result;
    Truncation truncation;
    std::function<void(ToolResult&&)> then;
  };
  auto rest = std::make_shared<Rest>(Rest{std::move(result), std::move(truncation), std::move(then)});
  kept.keep(
      rest->truncation.text, rest->truncation.cut.gap_begin, rest->truncation.cut.gap_end, caller,
      Done<std::string>([rest](Done<std::string>::Result&& cursor) {
        const auto* known = std::get_if<std::string>(&cursor);
        if (known == nullptr) log_line(LogLevel::warning, "an output that was cut could not be kept");
        rest->then(truncated(std::move(rest->result), rest->truncation, known != nullptr ? *known : std::string()));
      }));
}

ToolResult read_on(const KeptOutputs::Part& part, const OutputBudget& budget) {
  OutputBudget from_here = budget;
  from_here.keep = KeptPart::head;
  const std::string_view rest = std::string_view(*part.text).substr(part.begin, part.end - part.begin);
  const auto cut = cut_for(rest, from_here);
  if (!cut) return ToolResult::text(std::string(rest));
  const std::string cursor = KeptOutputs::cursor_of(part.id, part.begin + cut->gap_begin, part.end);
  ToolResult result = ToolResult::text(shown(rest, *cut, how_to_go_on(cursor), {}));
  result.meta[output_key] = record_of(rest, *cut, cursor);
  return result;
}

}  // namespace toolwire::features
