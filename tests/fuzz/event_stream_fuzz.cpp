// Server-sent events of any bytes: the same ones come of them in one piece and in many, and nothing is kept that is
// longer than it may be. The first byte says how long the pieces are.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "remote/event_stream.hpp"

namespace {

constexpr std::size_t max_event = 256;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// All that a stream has told.
struct Heard {
  std::vector<std::string> events;
  std::string last_id;
  std::optional<std::chrono::milliseconds> retry;
  bool operator==(const Heard&) const = default;
};

/// Nothing if an event was too large.
std::optional<Heard> hear(std::string_view bytes, std::size_t piece) {
  toolwire::remote::EventStream stream(max_event);
  Heard heard;
  const auto keep = [&](std::string&& data) { heard.events.push_back(std::move(data)); };
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    if (!stream.take(bytes.substr(at, piece), keep)) return std::nullopt;
  }
  stream.end();
  heard.last_id = stream.last_id();
  heard.retry = stream.retry();
  return heard;
}

void check(const Heard& heard) {
  for (const std::string& data : heard.events)
    require(data.size() <= max_event, "an event is no longer than it may be");
  for (const char c : heard.last_id) require(static_cast<unsigned char>(c) >= 0x20, "an id fits into a header");
  if (heard.retry) require(heard.retry->count() >= 0, "nobody waits less than no time");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = hear(bytes, bytes.size() + 1);
  require(whole == hear(bytes, 1 + data[0] % 16), "pieces are heard as the whole");
  if (whole) check(*whole);
  return 0;
}
