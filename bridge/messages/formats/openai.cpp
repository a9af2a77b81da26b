#include "messages/formats/openai.hpp"

#include <utility>

namespace toolwire::bridge::formats {
namespace {

constexpr std::string_view error_mark = "Error: ";

}  // namespace

void read_texts(const At& content, const std::function<void(TextBlock)>& each) {
  if (content.json().is_string()) return each({content.text()});
  content.each([&](const At& part) { each({part[part["type"].text() == "refusal" ? "refusal" : "text"].text()}); });
}

std::string result_text(const ToolResultMessage& result) {
  return (result.is_error ? std::string(error_mark) : std::string()) + result.text();
}

ToolResultMessage read_result(std::string call_id, const At& content) {
  ToolResultMessage result{.tool_call_id = std::move(call_id)};
  read_texts(content, [&](TextBlock block) { result.content.push_back(std::move(block)); });
  result.is_error = result.text().starts_with(error_mark);
  return result;
}

}  // namespace toolwire::bridge::formats
