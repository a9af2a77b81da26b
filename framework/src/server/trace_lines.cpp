#include "server/trace_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <variant>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "toolwire/redact.hpp"
#include "toolwire/system/process_id.hpp"

namespace toolwire::server {
namespace {

std::string_view name_of(TraceLines::Direction direction) {
  return direction == TraceLines::Direction::in ? "in" : "out";
}

bool is_json(std::string_view text) {
  const auto parsed = json::parse(text, {.max_depth = greatest_json_depth});
  return std::holds_alternative<Json>(parsed);
}

void end(std::string& file, double at) { fmt::format_to(std::back_inserter(file), ",\"at\":{:.6f}}}\n", at); }

std::string_view kind_of_text(TraceLines::Direction direction, bool cut) {
  if (direction == TraceLines::Direction::in) return cut ? "in_cut" : "raw";
  return cut ? "out_cut" : "out_text";
}

/// A text that was cut loses what may be the beginning of a secret.
void drop_begun(std::string& text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    for (std::size_t size = std::min(secret.size(), text.size()); size > 0; --size) {
      if (text.ends_with(std::string_view(secret).substr(0, size))) return text.resize(text.size() - size);
    }
  }
}

}  // namespace

TraceLines::TraceLines(std::size_t max_line, std::vector<std::string> secrets)
    : max_line_(max_line), secrets_(std::move(secrets)) {
  std::ranges::sort(secrets_, std::greater<>{}, &std::string::size);  // as `redact` wants them
  for (Stream& stream : streams_) stream.lines.emplace(max_line);
}

void TraceLines::describe(std::string& file, Direction direction, double at, const transport::LineSplitter::Line& line,
                          bool has_end) const {
  std::string clean = redact(line.text, secrets_);
  const bool whole = !line.too_long && is_json(clean);
  if (line.too_long || (!has_end && !whole)) drop_begun(clean, secrets_);
  file.append("{\"");
  if (whole) {
    file.append(name_of(direction)).append("\":").append(clean);
  } else {
    file.append(kind_of_text(direction, line.too_long)).append("\":");
    json::write_string(file, clean);
  }
  end(file, at);
}

void TraceLines::add(std::string& file, Direction direction, double at, std::string_view bytes) {
  Stream& into = stream(direction);
  if (into.skipping) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return;
    into.skipping = false;
    bytes.remove_prefix(end + 1);
  }
  while (!bytes.empty()) {
    const std::span<char> room = into.lines->room();
    const std::size_t count = std::min(room.size(), bytes.size());
    std::memcpy(room.data(), bytes.data(), count);
    into.lines->added(count);
    bytes.remove_prefix(count);
    while (const auto line = into.lines->next()) describe(file, direction, at, *line, true);
  }
}

void TraceLines::lost(std::string& file, Direction direction, double at, std::size_t bytes) {
  Stream& from = stream(direction);
  from.lines.emplace(max_line_);
  from.skipping = true;
  fmt::format_to(std::back_inserter(file), "{{\"lost\":\"{}\",\"bytes\":{}", name_of(direction), bytes);
  end(file, at);
}

void TraceLines::finish(std::string& file, double at) {
  for (const Direction direction : {Direction::in, Direction::out}) {
    if (const auto rest = stream(direction).lines->rest()) describe(file, direction, at, *rest, false);
  }
}

std::string trace_heading(std::string_view server, std::string_view version) {
  std::array<char, 32> started{};
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  if (::gmtime_r(&now, &utc) != nullptr) std::strftime(started.data(), started.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  std::string line;
  json::Writer writer(line);
  writer.begin_object();
  writer.key("about").string(std::string(server).append(" ").append(version));
  writer.key("process").integer(std::int64_t{system::own_process_id()});
  writer.key("started").string(started.data());
  writer.end_object();
  return line.append("\n");
}

}  // namespace toolwire::server
