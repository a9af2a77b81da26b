#include "report/progress.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "catalogue/catalogue.hpp"
#include "driver/revision.hpp"

namespace toolwire::conformance {
namespace {

constexpr std::chrono::milliseconds between_lines{50};

}  // namespace

void Progress::say(const std::string& text) {
  if (!shown_) return;
  std::fprintf(stderr, "\r\x1b[K%s", text.c_str());
  std::fflush(stderr);
  written_ = true;
}

void Progress::count(const Finding& finding) {
  ++done_;
  failed_ += finding.verdict >= Verdict::warn ? 1 : 0;
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < between_lines) return;
  last_ = now;
  say(fmt::format("{} checks, {} failures; {} {}", done_, failed_, finding.revision->name, finding.requirement->group));
}

void Progress::erase() {
  if (written_) std::fprintf(stderr, "\r\x1b[K");
  written_ = false;
}

}  // namespace toolwire::conformance
