#include "process/log_lines.hpp"

#include <toolwire/text.hpp>

namespace toolwire::bridge {
namespace {

/// "TypeError: …", "json.decoder.JSONDecodeError: …", "Error"
bool names_error(std::string_view line) {
  const std::string_view name = line.substr(0, line.find_first_of(": "));
  return name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning");
}

}  // namespace

bool Traceback::takes(std::string_view line) {
  if (line.starts_with("Traceback (most recent call last):")) return is_open_ = true;
  if (line.starts_with("    at ") || names_error(line)) {
    is_open_ = false;
    return true;
  }
  if (!is_open_) return false;
  is_open_ = line.empty() || line.starts_with(' ');
  return true;
}

void LogLines::begin_second(Clock::time_point now) {
  if (now - begun_ < std::chrono::seconds(1)) return;
  begun_ = now;
  written_ = traced_ = own_ = 0;
}

LogLines::Fate LogLines::fate_of(std::string_view text) {
  if (traceback_.takes(text) && ++traced_ <= traced_per_second) return Fate::written;
  if (++written_ <= per_second) return Fate::written;
  return ++dropped_ == 1 ? Fate::first_dropped : Fate::dropped;
}

void LogLines::operator()(std::string_view text, Clock::time_point now) { write(text, false, now); }

void LogLines::own(std::string_view text, Clock::time_point now) { write(text, true, now); }

void LogLines::write(std::string_view text, bool is_own, Clock::time_point now) {
  if (!write_) return;
  std::string line = text::stripped(text::head(text, max_line), {.tabs = true});
  {
    const MutexLock lock(mutex_);
    begin_second(now);
    const bool has_room = is_own && ++own_ <= traced_per_second;
    const Fate fate = has_room ? Fate::written : fate_of(text);
    if (fate == Fate::dropped) return;
    if (fate == Fate::first_dropped) {
      line = "more than " + std::to_string(per_second) + " lines in a second: those that follow are dropped";
    } else if (dropped_ > 0) {
      line += " (" + std::to_string(dropped_) + " lines before this one were dropped)";
      dropped_ = 0;
    }
  }
  write_(subject_ + ": " + line);
}

}  // namespace toolwire::bridge
