#include "commands/print_manifest.hpp"

#include <iostream>
#include <set>

#include <toolwire/json_members.hpp>

#include "commands/command_arguments.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_pages = 10'000;

/// What a scenario would say of itself: the server's description, else its instructions, else its title.
std::string description_of(const ServerDescription& server) {
  const JsonObject* result = server.raw.if_object();
  const Json* info = result == nullptr ? nullptr : result->if_contains("serverInfo");
  std::string text = info != nullptr && info->is_object() ? text_or(info->get_object(), "description") : "";
  if (text.empty()) text = server.instructions;
  return text.empty() ? server.title : text;
}

void take_page(const JsonObject& page, ServedList& list) {
  if (const Json* tools = page.if_contains("tools"); tools != nullptr && tools->is_array()) {
    for (const Json& tool : tools->get_array()) list.tools.push_back(tool);
  }
  if (const Json* meta = page.if_contains("_meta"); meta != nullptr && meta->is_object()) {
    for (const auto& [key, value] : meta->get_object()) list.meta.emplace(key, value);
  }
}

/// Reports what a provider would have to correct in the manifest before serving it.
void warn(const std::string& text) {
  const ManifestReading reading = read_manifest(text, "manifest");
  for (const ManifestProblem& problem : reading.problems) std::cerr << "warning: " << problem.message() << '\n';
}

int print_manifest(const std::vector<std::string>& command) {
  try {
    Client client(Program{.command = command}, {.name = "toolwire-bridge"});
    const std::string text = to_manifest_text(manifest_from_server(served_list(client)));
    std::cout << text << std::flush;
    warn(text);
    return std::cout ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "toolwire-bridge manifest: " << command.front() << ": " << error.what() << '\n';
    return 1;
  }
}

}  // namespace

ServedList served_list(Client& client) {
  const ServerDescription& server = client.server();
  ServedList list{server.name, server.version, description_of(server), {}, {}};
  std::set<std::string, std::less<>> seen;
  for (std::string cursor;;) {
    const Json page = client.request("tools/list", cursor.empty() ? JsonObject{} : JsonObject{{"cursor", cursor}});
    if (!page.is_object()) throw ProtocolError(error_code::internal_error, "tools/list: expected an object");
    take_page(page.get_object(), list);
    cursor = text_or(page.get_object(), "nextCursor");
    if (cursor.empty()) return list;
    if (!seen.insert(cursor).second || seen.size() > max_pages) {
      throw ProtocolError(error_code::internal_error, "tools/list: the list never ends");
    }
  }
}

int manifest_command(int argc, const char* const* argv) {
  CommandArguments taken("manifest", "Starts an MCP server and prints the native manifest of its tools.");
  std::vector<std::string> command;
  taken.required_rest("SERVER", command, "The server's program and its arguments, after \"--\"");
  if (const auto ended = taken.parse(argc, argv)) return *ended;
  return print_manifest(command);
}

}  // namespace toolwire::bridge
