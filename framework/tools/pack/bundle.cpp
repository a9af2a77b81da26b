#include "bundle.hpp"

#include "json_file.hpp"
#include "rules.hpp"

namespace toolwire::pack {
namespace {

constexpr unsigned for_all = 0644, program_for_all = 0755;

JsonArray tools_of(const Package& package) {
  JsonArray tools;
  for (const install::ToolReport& tool : package.tools) {
    JsonObject one{{"name", tool.name}};
    if (!tool.description.empty()) one["description"] = tool.description;
    tools.push_back(std::move(one));
  }
  return tools;
}

Json manifest_of(const Package& package) {
  const std::string program = "server/" + package.short_name;
  JsonObject manifest{{"manifest_version", "0.3"}, {"name", package.short_name}};
  if (!package.title.empty()) manifest["display_name"] = package.title;
  manifest["version"] = package.version;
  manifest["description"] = package.description;
  manifest["author"] = JsonObject{{"name", package.author}};
  if (!package.repository.empty()) manifest["repository"] = JsonObject{{"type", "git"}, {"url", package.repository}};
  if (!package.license.empty()) manifest["license"] = package.license;
  manifest["server"] = JsonObject{{"type", "binary"},
                                  {"entry_point", program},
                                  {"mcp_config", JsonObject{{"command", "${__dirname}/" + program},
                                                            {"args", bundle_arguments(package.arguments)},
                                                            {"env", bundle_environment(package.secrets)}}}};
  manifest["tools"] = tools_of(package);
  manifest["tools_generated"] = false;
  manifest["compatibility"] = JsonObject{{"platforms", JsonArray{"linux"}}};
  JsonObject settings = bundle_settings(package.arguments);
  for (const UserSecret& secret : package.secrets) settings[secret.name] = secret_setting(secret);
  if (!settings.empty()) manifest["user_config"] = std::move(settings);
  return manifest;
}

}  // namespace

std::vector<PackedFile> bundle_files(const Package& package) {
  const Json manifest = manifest_of(package);
  require_rules(manifest, bundle_rules(), "manifest.json");
  std::vector<PackedFile> files{
      {.name = "manifest.json", .mode = for_all, .content = json_file(manifest)},
      {.name = "server/" + package.short_name, .mode = program_for_all, .content = package.program.content}};
  files.insert(files.end(), package.files.begin(), package.files.end());
  return files;
}

hosts::Server server_in_bundle(const Json& manifest, const std::string& folder, const ChosenValues& chosen) {
  const JsonObject& start = manifest.at("server").at("mcp_config").as_object();
  const auto filled_in = [&](const Json& text) {
    JsonArray one;
    one.push_back(text);
    return arguments_by_host(one, folder, chosen).front();
  };
  hosts::Server server{.program = filled_in(start.at("command")),
                       .arguments = arguments_by_host(start.at("args").as_array(), folder, chosen)};
  for (const auto& [name, value] : start.at("env").as_object()) server.environment[name] = filled_in(value);
  return server;
}

}  // namespace toolwire::pack
