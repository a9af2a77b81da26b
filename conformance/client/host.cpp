#include "client/host.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <toolwire/system/file_text.hpp>

#include "driver/descendants.hpp"
#include "driver/interruption.hpp"
#include "driver/temporary.hpp"
#include "play/played_lines.hpp"

namespace toolwire::conformance {
namespace {

using std::chrono::milliseconds;
namespace fs = std::filesystem;

constexpr milliseconds step{5};
constexpr milliseconds long_end{12000};  // for a host that has to force the server
constexpr milliseconds grace{1500};
constexpr milliseconds end_of_servers{500};  // whose host has ended

/// A folder that is gone when the play is over.
class Folder {
 public:
  Folder() {
    const auto made = temporary_folder("toolwire-client-");
    if (!made) throw std::runtime_error("cannot make a folder among the temporary ones");
    path_ = *made;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> server_words(const fs::path& folder) {
  return {fs::read_symlink("/proc/self/exe").string(), "play", folder.string()};
}

std::string replaced(std::string text, std::string_view name, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += value.size())
    text.replace(at, name.size(), value);
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

fs::path config_of(const fs::path& folder) { return folder / "mcp.json"; }

void write_config(const fs::path& folder) {
  const auto words = server_words(folder);
  const JsonObject entry{{"type", "stdio"}, {"command", words[0]}, {"args", JsonArray{Json(words[1]), Json(words[2])}}};
  std::ofstream(config_of(folder)) << to_json_text(JsonObject{{"mcpServers", JsonObject{{"toolwire", entry}}}});
}

std::vector<std::string> call_words(const Host& host) {
  std::vector<std::string> words;
  const std::string arguments = R"({"text":"hello"})";
  for (const std::string& word : host.profile.call)
    words.push_back(replaced(replaced(word, "{tool}", std::string(played_tool)), "{arguments}", arguments));
  return words;
}

bool names(const std::vector<std::string>& words, std::string_view name) {
  return std::ranges::any_of(words, [&](const std::string& it) { return it.find(name) != std::string::npos; });
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

/// Whether the server of that recording is still there.
bool lives(const PlayedSession& session, const fs::path& folder) {
  try {
    const std::string command = system::text_of_file("/proc/" + std::to_string(session.process) + "/cmdline");
    return command.find(folder.string()) != std::string::npos;
  } catch (const std::exception&) {
    return false;
  }
}

/// Waits a moment for servers that have just been told to end. Whether one is still there.
bool any_left(const std::vector<PlayedSession>& sessions, const fs::path& folder) {
  const auto until = Clock::now() + end_of_servers;
  const auto is_there = [&](const PlayedSession& it) { return lives(it, folder); };
  while (std::ranges::any_of(sessions, is_there)) {
    if (Clock::now() > until) return true;
    std::this_thread::sleep_for(step);
  }
  return false;
}

/// Ends what is left. Whether anything was.
bool end_servers(const std::vector<PlayedSession>& sessions, const fs::path& folder) {
  if (!any_left(sessions, folder)) return false;
  for (const PlayedSession& session : sessions) {
    if (lives(session, folder)) kill_process(session.process);
  }
  return true;
}

/// Watches the host until it has ended, or nothing happens any more.
class Watching {
 public:
  Watching(const Host& host, const Case& played, const fs::path& folder, ServerProcess& process)
      : host_(host), played_(played), folder_(folder), process_(process) {}

  /// Whether the host ended by itself.
  bool wait() {
    while (!process_.ending().exited) {
      process_.pump(step, [this] { return process_.ending().exited; });
      if (run_end() != RunEnd::none) throw RunEnded{};
      look();
      if (Clock::now() - last_ > patience()) return false;
    }
    return true;
  }

  void ask_to_end() {
    process_.close_input();
    if (process_.wait_for_end(grace)) return;
    process_.signal(Signal::terminate);
    if (process_.wait_for_end(played_.ends_host_late ? long_end : grace * 2)) return;
    process_.signal(Signal::kill);
    process_.wait_for_end(grace);
  }

 private:
  void look() {
    const std::uintmax_t bytes = recorded_bytes(folder_);
    if (bytes == bytes_) return;
    bytes_ = bytes;
    last_ = Clock::now();
    is_through_ = is_through_ || any_played();
  }

  bool any_played() const {
    return std::ranges::any_of(read_sessions(folder_), [](const auto& it) { return it.has(note::played); });
  }

  milliseconds patience() const {
    if (bytes_ == 0) return host_.start_wait;
    if (played_.ends_host_late) return long_end;
    return is_through_ ? host_.quiet : std::max(host_.wait * 2, host_.watch + host_.wait);
  }

  const Host& host_;
  const Case& played_;
  const fs::path& folder_;
  ServerProcess& process_;
  std::uintmax_t bytes_ = 0;
  Clock::time_point last_ = Clock::now();
  bool is_through_ = false;
};

Launch launch_of(const Host& host, const Case& played, const fs::path& folder) {
  Launch launch = host.launch;
  launch.command = filled_in(host, folder);
  launch.environment["TOOLWIRE_CONFORMANCE_CASE"] = played.name;
  return launch;
}

}  // namespace

HostProfile::HostProfile(const Json& json) {
  const JsonObject* object = json.if_object();
  if (object == nullptr) throw std::invalid_argument("expected an object");
  for (const auto& [name, value] : *object) {
    if (name != "call") throw std::invalid_argument("\"" + std::string(name) + "\": expected only \"call\"");
    const JsonArray* words = value.if_array();
    if (words == nullptr) throw std::invalid_argument("\"call\": expected an array of texts");
    for (const Json& word : *words) {
      if (!word.is_string()) throw std::invalid_argument("\"call\": expected texts, found " + to_json_text(word));
      call.emplace_back(text_of(word));
    }
  }
}

std::vector<std::string> filled_in(const Host& host, const fs::path& folder) {
  const auto server = server_words(folder);
  const auto call = call_words(host);
  std::vector<std::string> words;
  for (const std::string& word : host.launch.command) {
    if (word == "{server}")
      append(words, server);
    else if (word == "{call}")
      append(words, call);
    else
      words.push_back(replaced(replaced(word, "{server}", joined(server)), "{config}", config_of(folder).string()));
  }
  if (!names(host.launch.command, "{server}") && !names(host.launch.command, "{config}")) append(words, server);
  if (!names(host.launch.command, "{call}")) append(words, call);
  return words;
}

Play play_once(const Host& host, const Case& played, const Revision& revision) {
  const Folder folder;
  write_settings(folder.path(), {.played = std::string(played.name),
                                 .revision = &revision,
                                 .main = host.main,
                                 .wait = host.wait,
                                 .watch = host.watch});
  write_config(folder.path());
  Play play{.played = &played, .revision = &revision};
  const auto begin = Clock::now();
  play.begun = std::chrono::duration_cast<milliseconds>(begin.time_since_epoch());
  ServerProcess process(launch_of(host, played, folder.path()), [](std::string_view, bool) {});
  Watching watching(host, played, folder.path(), process);
  play.ended_by_itself = watching.wait();
  if (!play.ended_by_itself) watching.ask_to_end();
  process.pump(step * 4, [&] { return process.output_ended(); });
  play.ending = process.ending();
  play.time = std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
  play.output = process.output();
  play.errors = process.errors();
  play.left_server = end_servers(read_sessions(folder.path()), folder.path());
  play.sessions = read_sessions(folder.path());
  return play;
}

}  // namespace toolwire::conformance
