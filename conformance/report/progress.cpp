#include "report/progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::chrono::milliseconds between_changes{50};
constexpr std::chrono::milliseconds between_lines{5000};

}  // namespace

Progress::Progress(bool to_terminal, Write write, Now now)
    : to_terminal_(to_terminal), write_(std::move(write)), now_(std::move(now)), begin_(now_()), last_(begin_) {}

void Progress::say(const std::string& text) {
  if (to_terminal_)
    show(text);
  else if (is_due(between_lines))
    write_line(text);
}

void Progress::count(const Finding& finding) {
  ++done_;
  failed_ += finding.verdict >= Verdict::warn ? 1 : 0;
  if (!is_due(to_terminal_ ? between_changes : between_lines)) return;
  const std::string text = fmt::format("{} judged, {} FAIL or WARN; {} {}", done_, failed_, finding.revision->name,
                                       finding.requirement->group);
  to_terminal_ ? show(text) : write_line(text);
}

bool Progress::is_due(std::chrono::milliseconds pause) {
  const auto now = now_();
  if (now - last_ < pause) return false;
  last_ = now;
  return true;
}

void Progress::show(const std::string& text) {
  write_("\r\x1b[K" + text);
  written_ = true;
}

void Progress::write_line(const std::string& text) {
  write_(fmt::format("{} s: {}\n", std::chrono::duration_cast<std::chrono::seconds>(last_ - begin_).count(), text));
}

void Progress::erase() {
  if (written_) write_("\r\x1b[K");
  written_ = false;
}

void write_progress(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace toolwire::conformance
