#include "commands/entry_settings.hpp"

#include <map>
#include <string>

#include <toolwire/http/detail/http_url.hpp>
#include "commands/back_end_settings.hpp"
#include "http/guard.hpp"
#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

bool is_of_this_machine(const std::string& url) {
  const auto parsed = HttpUrl::parse(url);
  return parsed && http::is_loopback(parsed->host());
}

JsonObject texts_json(const std::map<std::string, std::string>& texts) {
  JsonObject json;
  for (const auto& [name, value] : texts) json[name] = value;
  return json;
}

JsonObject program_json(const ServerEntry& entry) {
  return {{"command", JsonArray(entry.command.begin(), entry.command.end())},
          {"directory", entry.directory},
          {"environment", texts_json(entry.environment)}};
}

JsonObject address_json(const ServerEntry& entry) {
  JsonObject json{{"url", entry.url}, {"headers", texts_json(entry.headers)}};
  if (!entry.oauth.is_null()) json["oauth"] = entry.oauth;
  return json;
}

}  // namespace

JsonObject entry_settings(const ServerEntry& entry) {
  return entry.url.empty() ? program_json(entry) : address_json(entry);
}

bool has_wrong_address(const ServerEntry& entry, Findings& findings) {
  if (entry.url.empty()) return false;
  const auto wrong_url = wrong_address(entry.url);
  if (wrong_url) findings.problem(entry.pointer, *wrong_url);
  bool is_wrong = wrong_url.has_value();
  for (const auto& [name, value] : entry.headers) {
    const auto wrong = wrong_header(name, value);
    if (wrong) findings.problem(below(below(entry.pointer, "headers"), name), *wrong);
    is_wrong = is_wrong || wrong;
  }
  if (!is_wrong && entry.url.starts_with("http:") && !entry.headers.empty() && !is_of_this_machine(entry.url))
    findings.hint(entry.pointer, "its headers are sent without encryption; expected https://");
  return is_wrong;
}

}  // namespace toolwire::bridge
