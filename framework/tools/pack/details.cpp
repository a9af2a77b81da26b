#include "details.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <toolwire/schema.hpp>
#include <toolwire/text.hpp>

#include "install/request.hpp"
#include "rules.hpp"

namespace toolwire::pack {
namespace {

using install::Misuse;

constexpr std::size_t most_characters = 100, most_name_bytes = 200, most_short_name_bytes = 64, most_npm_bytes = 180;

bool matches(const std::string& text, std::string_view pattern) {
  return Schema::compile(JsonObject{{"pattern", pattern}}).is_valid(JsonString(text));
}

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// What is wrong with a text for people; empty if nothing.
std::string problem_of(const std::string& text) {
  if (!text::is_valid(text)) return "expected UTF-8";
  if (text::visible(text) != text) return "expected one line without hidden characters";
  if (const std::size_t count = characters_in(text); count > most_characters)
    return "expected at most " + std::to_string(most_characters) + " characters, found " + std::to_string(count);
  return "";
}

void require_text(const char* option, const std::string& text) {
  if (const std::string problem = problem_of(text); !problem.empty())
    throw Misuse(std::string(option) + ": " + problem);
}

std::string behind_slash(const std::string& name) { return name.substr(name.find('/') + 1); }

void require_name(const std::string& name) {
  const std::string short_name = behind_slash(name);
  if (name.size() <= most_name_bytes && short_name.size() <= most_short_name_bytes && matches(name, name_pattern) &&
      matches(short_name, "^[a-zA-Z0-9]"))
    return;
  throw Misuse(
      "--name: expected the name in the registry, such as io.github.USER/notes: letters, digits, . and -, a "
      "slash, and at most " +
      std::to_string(most_short_name_bytes) +
      " letters, digits, ., _ and - that begin with a letter or digit; found \"" + std::string(text::head(name, 100)) +
      "\"");
}

void require_npm_name(const std::string& name) {
  if (name.size() <= most_npm_bytes && matches(name, npm_name_pattern)) return;
  throw Misuse(
      "--npm-name: expected a name of npm, such as notes or @user/notes: small letters, digits, ., _ and -; "
      "found \"" +
      std::string(text::head(name, 100)) + "\"");
}

void require_url(const char* option, const std::string& url) {
  if (!matches(url, url_pattern))
    throw Misuse(std::string(option) + ": expected an address that begins with https://, found \"" +
                 std::string(text::head(url, 200)) + "\"");
}

void require_bundle_url(const std::string& url) {
  if (matches(url, bundle_url_pattern) && url.find("mcp") != std::string::npos) return;
  throw Misuse(
      "--url: expected the address of a file in a release of GitHub or GitLab, for the registry takes no other, such "
      "as "
      "https://github.com/USER/REPOSITORY/releases/download/TAG/NAME.mcpb; found \"" +
      std::string(text::head(url, 200)) + "\"");
}

/// The option, or what the server says of itself.
std::string chosen(const char* option, const std::string& given, const std::string& said, const std::string& missing) {
  if (!given.empty()) return given;
  if (said.empty()) throw Misuse(std::string(option) + ": " + missing + ", for the server does not say it");
  return said;
}

std::string chosen_version(const std::string& given, const install::ServerReport& server) {
  std::string version = chosen("--version", given, server.version, "expected the version of the server, such as 1.2.3");
  if (given.empty() && !is_version(version))
    throw Misuse("--version: expected one such as 1.2.3 (semver.org), for the server says \"" +
                 std::string(text::head(version, 100)) + "\"");
  return version;
}

std::string chosen_text(const char* option, const std::string& given, const std::string& said) {
  if (!given.empty()) return given;
  if (const std::string problem = problem_of(said); !problem.empty())
    throw Misuse(std::string(option) + ": is needed, for what the server says of itself does not fit: " + problem);
  return said;
}

std::string npm_name_from(std::string short_name) {
  std::ranges::transform(short_name, short_name.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return short_name;
}

}  // namespace

bool is_version(const std::string& text) { return text.size() <= most_characters && matches(text, version_pattern); }

void require_good_details(const GivenDetails& given) {
  if (given.name.empty())
    throw Misuse("--name: expected the name that the server has in the registry, such as io.github.USER/notes");
  require_name(given.name);
  if (!given.npm_name.empty()) require_npm_name(given.npm_name);
  if (!given.version.empty() && !is_version(given.version))
    throw Misuse("--version: expected one such as 1.2.3 (semver.org), found \"" +
                 std::string(text::head(given.version, 100)) + "\"");
  require_text("--title", given.title);
  require_text("--description", given.description);
  require_text("--author", given.author);
  require_text("--license", given.license);
  if (!given.repository.empty()) require_url("--repository", given.repository);
  if (!given.bundle_url.empty()) require_bundle_url(given.bundle_url);
}

void fill_details(Package& package, const GivenDetails& given, const install::ServerReport& server, bool needs_author) {
  package.name = given.name;
  package.short_name = behind_slash(given.name);
  package.npm_name = given.npm_name.empty() ? npm_name_from(package.short_name) : given.npm_name;
  package.version = chosen_version(given.version, server);
  package.title = chosen_text("--title", given.title, server.title);
  package.description = chosen("--description", given.description, server.description,
                               "expected what the server does, in at most 100 characters");
  package.description = chosen_text("--description", given.description, package.description);
  package.author = given.author;
  if (needs_author && package.author.empty())
    throw Misuse("--author: expected who has made the server, for a bundle has to name somebody");
  package.license = given.license;
  package.repository = given.repository;
  package.bundle_url = given.bundle_url;
}

}  // namespace toolwire::pack
