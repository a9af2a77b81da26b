#include "registry_entry.hpp"

#include <sodium.h>

#include <array>
#include <toolwire/schema.hpp>

#include "json_file.hpp"
#include "rules.hpp"

namespace toolwire::pack {
namespace {

std::string sha256_of(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  std::string text(2 * hash.size() + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  text.pop_back();
  return text;
}

JsonObject stdio() { return {{"type", "stdio"}}; }

/// The registry refuses a version here: the address is that of one.
JsonObject bundle_entry(const Package& package, std::string_view bundle) {
  return {{"registryType", "mcpb"},
          {"identifier", package.bundle_url},
          {"fileSha256", sha256_of(bundle)},
          {"transport", stdio()}};
}

JsonObject npm_entry(const Package& package) {
  JsonObject entry{{"registryType", "npm"},
                   {"identifier", package.npm_name},
                   {"version", package.version},
                   {"runtimeHint", "npx"},
                   {"transport", stdio()}};
  if (JsonArray arguments = registry_arguments(package.arguments); !arguments.empty())
    entry["packageArguments"] = std::move(arguments);
  if (JsonArray variables = registry_variables(package.secrets); !variables.empty())
    entry["environmentVariables"] = std::move(variables);
  return entry;
}

}  // namespace

std::optional<std::string_view> repository_source(const std::string& url) {
  const auto fits = [&](std::string_view pattern) {
    return Schema::compile(JsonObject{{"pattern", pattern}}).is_valid(JsonString(url));
  };
  if (fits(github_pattern)) return "github";
  if (fits(gitlab_pattern)) return "gitlab";
  return std::nullopt;
}

std::string registry_entry(const Package& package, std::optional<std::string_view> bundle, bool with_npm) {
  JsonObject entry{{"$schema", "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"},
                   {"name", package.name}};
  if (!package.title.empty()) entry["title"] = package.title;
  entry["description"] = package.description;
  if (const auto source = repository_source(package.repository))
    entry["repository"] = JsonObject{{"url", package.repository}, {"source", *source}};
  entry["version"] = package.version;
  JsonArray packages;
  if (bundle) packages.push_back(bundle_entry(package, *bundle));
  if (with_npm) packages.push_back(npm_entry(package));
  if (!packages.empty()) entry["packages"] = std::move(packages);
  const Json file(std::move(entry));
  require_rules(file, registry_rules(), "server.json");
  return json_file(file);
}

}  // namespace toolwire::pack
