#include "report/reproduction.hpp"

#include <fmt/format.h>

#include <toolwire/text.hpp>

#include "report/safe_text.hpp"

namespace toolwire::conformance {
namespace {

bool is_plain(std::string_view text) {
  if (!text::is_valid(text)) return false;
  return text::visible(text, text::lines) == text;  // nothing hides in it
}

/// As the first argument of printf.
std::string format_word(std::string_view bytes) {
  std::string out = "'";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (c == '%')
      out += "%%";
    else if (c == '\\')
      out += "\\\\";
    else if (c == '\'')
      out += "'\\''";
    else if (byte < 0x20 || byte >= 0x7F)
      out += fmt::format("\\{:03o}", byte);
    else
      out += c;
  }
  return out + "'";
}

std::string step_text(std::string_view step) {
  if (!is_plain(step) || !step.ends_with('\n')) return "printf " + format_word(step);
  std::string text = "printf '%s\\n'";
  while (!step.empty()) {
    const std::size_t end = step.find('\n');
    text += " " + shell_word(step.substr(0, end));
    step.remove_prefix(end + 1);
  }
  return text;
}

std::string server_text(const Report& report) {
  const Launch& launch = report.target.launch;
  std::string text;
  // The values may be secrets, and reports are published.
  for (const auto& [name, value] : launch.environment)
    text += (text.empty() ? "env " : "") + name + "=\"$" + name + "\" ";
  std::string_view between;
  for (const std::string& word : launch.command) {
    text.append(between).append(shell_word(word));
    between = " ";
  }
  return text;
}

}  // namespace

std::string pipeline(const Report& report, const Finding& finding) {
  if (finding.sent.empty() || report.target.launch.http) return "";
  std::string text;
  for (const std::string& step : finding.sent.steps) text += (text.empty() ? "" : "sleep 1; ") + step_text(step) + "; ";
  if (!finding.sent.ends_input) text += "sleep 2; ";
  const std::string& directory = report.target.launch.directory;
  return (directory.empty() ? "" : "cd " + shell_word(directory) + " && ") + "{ " + text + "} | " + server_text(report);
}

}  // namespace toolwire::conformance
