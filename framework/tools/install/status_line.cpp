#include "status_line.hpp"

#include <cstdlib>
#include <toolwire/system/standard_streams.hpp>
#include <toolwire/text.hpp>
#include <utility>

namespace toolwire::install {
namespace {

/// A longer line might be broken by the terminal, and only its end be erased.
constexpr std::size_t most_bytes = 78;
constexpr std::string_view erased = "\r\x1b[K";

bool can_erase() {
  const char* const terminal = std::getenv("TERM");
  return system::is_terminal(system::StandardStream::errors) && terminal != nullptr &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

StatusLine::StatusLine(std::string_view text) : StatusLine(can_erase(), text, system::write_to_standard_error) {}

StatusLine::StatusLine(bool is_shown, std::string_view text, Write write)
    : is_shown_(is_shown), write_(std::move(write)) {
  const std::string visible = text::visible(text);
  if (is_shown_) write_(std::string(erased).append(text::head(visible, most_bytes)));
}

StatusLine::~StatusLine() {
  if (is_shown_) write_(erased);
}

}  // namespace toolwire::install
