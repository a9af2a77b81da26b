#include "secrets.hpp"

#include <algorithm>
#include <toolwire/text.hpp>

#include "install/request.hpp"

namespace toolwire::pack {
namespace {

bool is_variable(const std::string& name) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && (name.front() < '0' || name.front() > '9') && std::ranges::all_of(name, is_part);
}

}  // namespace

std::vector<UserSecret> secrets_from(const std::vector<std::string>& texts) {
  std::vector<UserSecret> secrets;
  for (const std::string& text : texts) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string name = text.substr(0, equals);
    // What stands behind is not repeated: it may be the secret, given by mistake.
    if (!is_variable(name) || equals + 1 >= text.size() || !text::is_valid(text))
      throw install::Misuse("--secret: expected NAME=TEXT, a variable and what it is for, and not its value");
    if (std::ranges::find(secrets, name, &UserSecret::name) != secrets.end())
      throw install::Misuse("--secret: expected " + name + " once");
    secrets.push_back({.name = name, .description = text.substr(equals + 1)});
  }
  return secrets;
}

JsonObject secret_setting(const UserSecret& secret) {
  return {{"type", "string"},
          {"title", secret.name},
          {"description", secret.description},
          {"required", true},
          {"sensitive", true}};
}

JsonObject bundle_environment(const std::vector<UserSecret>& secrets) {
  JsonObject variables;
  for (const UserSecret& secret : secrets) variables[secret.name] = "${user_config." + secret.name + "}";
  return variables;
}

JsonArray registry_variables(const std::vector<UserSecret>& secrets) {
  JsonArray variables;
  for (const UserSecret& secret : secrets) {
    JsonObject one{
        {"name", secret.name}, {"description", secret.description}, {"isRequired", true}, {"isSecret", true}};
    variables.push_back(std::move(one));
  }
  return variables;
}

}  // namespace toolwire::pack
