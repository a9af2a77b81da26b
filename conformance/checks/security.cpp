// What users must be able to trust: what models read is what people see, secrets stay in the server, and tools are and
// do what they say. Everything here is a warning that names its source.
#include "checks/security.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include "checks/groups.hpp"
#include "checks/tools.hpp"
#include "driver/arguments.hpp"
#include "driver/temporary.hpp"
#include "probe/lists.hpp"

namespace toolwire::conformance {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_text = std::size_t{16} << 10;
constexpr std::size_t most_calls = 16;
constexpr std::string_view secret_name = "TOOLWIRE_CONFORMANCE_API_KEY";
constexpr std::string_view secret = "toolwire-made-up-key-5d1f0b7c2e";

void hidden_text(Probe& probe) {
  for (const auto& [where, text] : listed_texts(probe.offer())) {
    const std::string found = hidden_character(text);
    probe.expect(found.empty(), "nothing that hides in a text", where + ": " + found);
  }
}

void tool_poisoning(Probe& probe) {
  for (const auto& [where, text] : listed_texts(probe.offer())) {
    const std::string_view found = order_to_the_model(text);
    probe.expect(found.empty(), "a text about what it describes", where + ": \"" + std::string(found) + "\"");
  }
}

void description_size(Probe& probe) {
  for (const auto& [where, text] : listed_texts(probe.offer()))
    probe.expect(text.size() <= longest_text, "at most " + std::to_string(longest_text) + " bytes",
                 where + ": " + std::to_string(text.size()) + " bytes");
}

/// Requests that fail, of everything the server has.
void fail_in_every_way(Probe& probe, Session& session) {
  const Offer& offer = probe.offer();
  if (offer.has("logging") && !probe.modern()) session.request("logging/setLevel", {{"level", "debug"}});
  session.request("toolwire/nothing");
  if (offer.has("tools")) session.request("tools/call", {{"name", "toolwire-nothing"}, {"arguments", JsonObject{}}});
  for (const Json& tool : offer.tools) {
    const std::string_view name = text_of(get(tool, "name"));
    const JsonArray* required = get(tool, "inputSchema", "required").if_array();
    if (required != nullptr && !required->empty() && probe.target().may_call(name))
      session.request("tools/call", {{"name", name}, {"arguments", JsonObject{}}});
  }
  if (offer.has("resources")) session.request("resources/read", {{"uri", "toolwire://nothing"}});
  if (offer.has("prompts")) session.request("prompts/get", {{"name", "toolwire-nothing"}});
  if (offer.has("completions")) session.request("completion/complete", {{"ref", 1}});
}

/// Results may tell it: that is what some tools are for.
bool is_error_or_log(const Message& message) {
  if (message.method() == "notifications/message") return true;
  if (message.kind != Message::Kind::response) return message.kind == Message::Kind::foreign;
  return message.error_code() != 0 || get(message.json, "result", "isError") == Json(true);
}

void secrets_kept(Probe& probe) {
  Launch launch = probe.target().launch;
  launch.environment[std::string(secret_name)] = secret;
  Session& session = probe.opened({}, launch);
  fail_in_every_way(probe, session);
  for (const Message& message : session.messages()) {
    if (is_error_or_log(message))
      probe.expect(message.text.find(secret) == std::string::npos, "no secret of the environment in an error or a log",
                   "the value of " + std::string(secret_name) + " in: " + message.text.substr(0, 300));
  }
  probe.expect(session.process().errors().find(secret) == std::string::npos,
               "no secret of the environment on standard error", "the value of " + std::string(secret_name));
}

void tools_pinned(Probe& probe) {
  need_tools(probe);
  const Walk again = walk(probe.opened(all_capabilities(probe.revision())), lists.front());
  for (const Json& page : again.pages) {
    const JsonArray* tools = get(page, "tools").if_array();
    if (tools == nullptr) continue;
    for (const Json& tool : *tools) {
      const Json* before = probe.offer().tool(text_of(get(tool, "name")));
      if (before == nullptr) continue;
      for (const std::string_view member : {"title", "description", "inputSchema", "outputSchema", "annotations"})
        probe.expect(get(tool, member) == get(*before, member),
                     "the tool " + std::string(text_of(get(tool, "name"))) + " as it was after another start, /" +
                         std::string(member) + ": " + to_json_text(get(*before, member)).substr(0, 300),
                     to_json_text(get(tool, member)).substr(0, 300));
    }
  }
}

/// An empty folder, gone with it.
class Sandbox {
 public:
  explicit Sandbox(const Probe& probe) {
    const auto folder = temporary_folder("toolwire-conformance-");
    if (!folder) probe.skip("no temporary folder can be made");
    folder_ = *folder;
    std::ofstream(folder_ / "kept.txt") << "This file was here before the server was started.\n";
  }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox() {
    std::error_code error;
    fs::remove_all(folder_, error);
  }

  const fs::path& folder() const { return folder_; }

  /// The files by their paths, each with its size and the time of its last change. Hidden ones and logs are left out.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    std::error_code error;
    for (fs::recursive_directory_iterator it(folder_, error), end; it != end && !error; it.increment(error)) {
      const std::string name = it->path().filename().string();
      if (name.starts_with('.') || name.ends_with(".log")) {
        it.disable_recursion_pending();
        continue;
      }
      if (!it->is_regular_file(error)) continue;
      all[it->path().lexically_relative(folder_).string()] =
          std::to_string(it->file_size(error)) + " bytes, " +
          std::to_string(it->last_write_time(error).time_since_epoch().count());
    }
    return all;
  }

 private:
  fs::path folder_;
};

/// What was made, changed or removed first; empty: nothing.
std::string difference(const std::map<std::string, std::string>& before,
                       const std::map<std::string, std::string>& after) {
  for (const auto& [name, state] : after) {
    const auto old = before.find(name);
    if (old == before.end()) return "it made the file " + name;
    if (old->second != state) return "it changed the file " + name;
  }
  for (const auto& [name, state] : before) {
    if (!after.contains(name)) return "it removed the file " + name;
  }
  return "";
}

/// Words of the command that are files of the folder it runs in would not be found elsewhere.
bool can_run_elsewhere(const Launch& launch) {
  std::error_code error;
  const fs::path folder = launch.directory.empty() ? fs::current_path(error) : fs::path(launch.directory);
  for (const std::string& word : launch.command) {
    if (!fs::path(word).is_absolute() && fs::exists(folder / word, error)) return false;
  }
  return true;
}

void read_only_writes(Probe& probe) {
  need_tools(probe);
  Launch launch = probe.target().launch;
  if (!can_run_elsewhere(launch)) probe.skip("the server's command names files of the folder it runs in");
  const Sandbox sandbox(probe);
  launch.directory = sandbox.folder().string();
  Session& session = probe.opened({}, launch);
  walk(session, lists.front());
  std::size_t called = 0;
  auto before = sandbox.files();
  for (const Json& tool : probe.offer().tools) {
    const auto arguments = arguments_for(get(tool, "inputSchema"));
    if (get(tool, "annotations", "readOnlyHint") != Json(true) || !arguments || called == most_calls) continue;
    ++called;
    const std::string_view name = text_of(get(tool, "name"));
    session.request("tools/call", {{"name", name}, {"arguments", *arguments}});
    auto after = sandbox.files();
    const std::string changed = difference(before, after);
    probe.expect(changed.empty(), "the tool " + std::string(name) + ", which says readOnlyHint, writes nothing",
                 changed);
    before = std::move(after);
  }
  if (called == 0) probe.skip("no tool that can be called says readOnlyHint");
}

}  // namespace

std::span<const Check> security_checks() {
  static constexpr Check checks[] = {
      {"sec-hidden-text", hidden_text},           {"sec-tool-poisoning", tool_poisoning},
      {"sec-description-size", description_size}, {"sec-secrets-kept", secrets_kept},
      {"sec-tools-pinned", tools_pinned},         {"sec-read-only-writes", read_only_writes},
  };
  return checks;
}

}  // namespace toolwire::conformance
