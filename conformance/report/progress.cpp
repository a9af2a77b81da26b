#include "report/progress.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <utility>

#include "catalogue/catalogue.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::chrono::milliseconds between_changes{50};
constexpr std::chrono::seconds between_lines{5};

}  // namespace

Progress::Progress(bool to_terminal, Write write, Now now)
    : to_terminal_(to_terminal), write_(std::move(write)), now_(std::move(now)), begin_(now_()), last_(begin_) {}

void Progress::say(const std::string& text) {
  if (!to_terminal_) return;
  write_("\r\x1b[K" + text);
  written_ = true;
}

void Progress::count(const Finding& finding) {
  ++done_;
  failed_ += finding.verdict >= Verdict::warn ? 1 : 0;
  const auto now = now_();
  if (now - last_ < (to_terminal_ ? std::chrono::milliseconds(between_changes) : between_lines)) return;
  last_ = now;
  const std::string text =
      fmt::format("{} checks, {} failures; {} {}", done_, failed_, finding.revision->name, finding.requirement->group);
  if (to_terminal_) return say(text);
  write_(fmt::format("{} s: {}\n", std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count(), text));
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
