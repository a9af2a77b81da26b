#include "play/played_lines.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>

#include <toolwire/text.hpp>

namespace toolwire::conformance {
namespace {

constexpr std::string_view prefix = "lines-";

std::string_view text_of_sender(From from) {
  return from == From::host ? "host" : from == From::server ? "server" : "note";
}

From from_of(std::string_view text) {
  return text == "host" ? From::host : text == "server" ? From::server : From::note;
}

std::chrono::milliseconds now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now().time_since_epoch());
}

PlayedLine line_of(const Json& json) {
  PlayedLine line{.at = std::chrono::milliseconds(get(json, "at").as_int64()),
                  .from = from_of(text_of(get(json, "from"))),
                  .text = std::string(text_of(get(json, "text"))),
                  .size = static_cast<std::size_t>(get(json, "size").as_int64()),
                  .ended = get(json, "ended") == Json(true),
                  .valid = get(json, "valid") == Json(true)};
  if (line.from == From::host) line.message = read_message(line.text, line.ended);
  return line;
}

PlayedSession read_session(const std::filesystem::path& file) {
  PlayedSession session{.process = std::stoi(file.stem().string().substr(prefix.size()))};
  std::ifstream stream(file, std::ios::binary);
  for (std::string text; std::getline(stream, text);) {
    if (stream.eof()) break;  // killed while it wrote
    session.lines.push_back(line_of(parse_json(text)));
  }
  return session;
}

bool is_recording(const std::filesystem::path& file) {
  return file.extension() == ".jsonl" && file.filename().string().starts_with(prefix);
}

}  // namespace

PlayedLinesWriter::PlayedLinesWriter(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / (std::string(prefix) + std::to_string(::getpid()) + ".jsonl");
  file_ = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file_ < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
}

PlayedLinesWriter::~PlayedLinesWriter() { ::close(file_); }

void PlayedLinesWriter::add(From from, std::string_view text, bool ended) {
  const std::string_view kept = text.substr(0, kept_text);
  const Json line = JsonObject{
      {"at", now().count()}, {"from", text_of_sender(from)}, {"text", text::valid(kept)}, {"size", text.size()},
      {"ended", ended},      {"valid", text::is_valid(text)}};
  const std::string bytes = to_json_text(line) + "\n";
  // One write: a process that is killed leaves whole lines.
  if (::write(file_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "cannot write the recording");
}

std::size_t PlayedSession::place_of(std::string_view note) const {
  const auto found =
      std::ranges::find_if(lines, [&](const PlayedLine& it) { return it.from == From::note && it.text == note; });
  return static_cast<std::size_t>(found - lines.begin());
}

std::vector<PlayedSession> read_sessions(const std::filesystem::path& folder) {
  std::vector<PlayedSession> sessions;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (is_recording(entry.path())) sessions.push_back(read_session(entry.path()));
  }
  std::erase_if(sessions, [](const PlayedSession& it) { return it.lines.empty(); });
  std::ranges::sort(sessions, {}, [](const PlayedSession& it) { return it.lines.front().at; });
  return sessions;
}

std::uintmax_t recorded_bytes(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (is_recording(entry.path())) bytes += entry.file_size(ignored);
  }
  return bytes;
}

}  // namespace toolwire::conformance
