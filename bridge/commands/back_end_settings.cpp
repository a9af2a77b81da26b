#include "commands/back_end_settings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include <toolwire/client_options.hpp>
#include <toolwire/system/file_text.hpp>

#include <toolwire/http/detail/header_text.hpp>
#include "confinement/report.hpp"
#include "manifest/members.hpp"

namespace toolwire::bridge {
namespace {

template <class Names>
std::string list_of(const Names& names) {
  std::string all;
  for (const std::string_view name : names) all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

/// `["PROGRAM", "ARGUMENT", …]`, or as hosts have it: a string, and `args` beside it.
std::vector<std::string> read_command(Members& members, const std::string& pointer, Findings& findings) {
  const auto [command, place] = members.find("command");
  std::vector<std::string> words;
  if (command != nullptr && command->is_string()) {
    if (!command->get_string().empty()) words.emplace_back(command->get_string());
    for (std::string& argument : members.texts("args")) words.push_back(std::move(argument));
  } else {
    words = members.texts("command");
    if (members.find("args").value != nullptr)
      findings.problem(below(pointer, "args"), "expected together with a \"command\" that is a string");
  }
  if (words.empty() || words.front().empty())
    findings.problem(place, R"(expected a program: "PROGRAM" with "args", or ["PROGRAM", "ARGUMENT", …])");
  return words;
}

/// The name that hosts use for a member, or ours; both at once are a problem.
std::string_view name_used(Members& members, std::string_view ours, std::string_view of_hosts, Findings& findings) {
  const auto [other, pointer] = members.find(of_hosts);
  if (other == nullptr) return ours;
  if (members.find(ours).value != nullptr)
    findings.problem(pointer, "says the same as \"" + std::string(ours) + "\"; expected one of the two");
  return of_hosts;
}

void read_environment(Members& members, mcp::BackEndOptions& into, Findings& findings) {
  const std::string_view name_here = name_used(members, "environment", "env", findings);
  const JsonObject* const object = members.object(name_here);
  if (object == nullptr) return;
  const std::string pointer = members.find(name_here).pointer;
  for (const auto& [name, value] : *object) {
    if (value.is_string()) {
      into.environment.emplace(name, value.get_string());
    } else {
      findings.problem(below(pointer, name), "expected a string");
    }
  }
}

void read_inherited(Members& members, mcp::BackEndOptions& into, Findings& findings) {
  using Extent = mcp::InheritedEnvironment::Extent;
  if (const auto whole = members.flag("inherit_environment")) into.inherit.extent = *whole ? Extent::all : Extent::none;
  into.inherit.named = members.texts("inherit");
  for (std::size_t i = 0; i < into.inherit.named.size(); ++i) {
    if (auto wrong = mcp::wrong_inherited(into.inherit.named[i]))
      findings.problem(below(members.find("inherit").pointer, i), std::move(*wrong));
  }
}

/// What only programs have.
void refuse_what_programs_have(const JsonObject& object, const std::string& pointer, Findings& findings) {
  for (const std::string_view name :
       {"command", "args", "environment", "env", "inherit_environment", "inherit", "directory", "cwd"}) {
    if (object.contains(name))
      findings.problem(below(pointer, name), "is for a program; nothing follows from it beside a \"url\"");
  }
}

void read_remote(Members& members, mcp::BackEndOptions& into, Findings& findings) {
  const auto [url, pointer] = members.find("url");
  remote::RemoteServer& made = into.remote.emplace();
  made.url = members.optional_text("url");
  if (auto wrong = wrong_address(made.url)) findings.problem(pointer, std::move(*wrong));
  const JsonObject* const headers = members.object("headers");
  for (const auto& [name, value] : headers == nullptr ? JsonObject() : *headers) {
    const std::string place = below(members.find("headers").pointer, name);
    if (!value.is_string()) {
      findings.problem(place, "expected a string");
    } else if (auto wrong = wrong_header(name, value.get_string())) {
      findings.problem(place, std::move(*wrong));
    } else {
      made.headers.emplace_back(name, value.get_string());
    }
  }
}

/// How it is logged in at; `place` is where that stands.
void read_oauth(Members& members, const std::string& place, const std::string& directory, mcp::BackEndOptions& into,
                Findings& findings) {
  into.login_command = "toolwire-bridge login CONFIG " + into.name;
  const auto [value, written] = members.find("oauth");
  if (value == nullptr) return;
  const std::string& pointer = place.empty() ? written : place;
  if (auto read = login::read_login(*value, pointer, findings, directory)) into.login = std::move(*read);
  if (into.login.enabled && says_who_asks(into.remote->headers))
    findings.problem(pointer, "expected either this or \"Authorization\" in \"headers\"");
}

void read_program(Members& members, const std::string& pointer, const std::string& directory, mcp::BackEndOptions& into,
                  Findings& findings) {
  into.command = read_command(members, pointer, findings);
  read_environment(members, into, findings);
  read_inherited(members, into, findings);
  into.directory = members.stated_text(name_used(members, "directory", "cwd", findings)).value_or(directory);
  if (members.find("headers").value != nullptr)
    findings.problem(below(pointer, "headers"), "are for a \"url\"; nothing follows from them here");
  if (members.find("oauth").value != nullptr)
    findings.problem(below(pointer, "oauth"), "is for a \"url\"; nothing follows from it here");
}

/// `true` and `false` are what earlier versions knew.
void read_prefix(Members& members, mcp::BackEndOptions& into, Findings& findings) {
  const auto [value, pointer] = members.find("prefix");
  if (value == nullptr) return;
  if (value->is_bool()) {
    into.prefix = value->get_bool() ? mcp::Prefix::always : mcp::Prefix::on_conflict;
  } else if (const auto read = value->is_string() ? prefix_named(value->get_string()) : std::nullopt) {
    into.prefix = *read;
  } else {
    findings.problem(pointer, R"(expected "on_conflict", "always" or "never")");
  }
}

void read_revision(Members& members, mcp::BackEndOptions& into, Findings& findings) {
  into.revision = members.optional_text("revision");
  const auto known = known_revisions();
  if (into.revision.empty() || std::ranges::find(known, into.revision) != known.end()) return;
  findings.problem(members.find("revision").pointer, "expected a revision of the protocol, one of " + list_of(known));
}

void refuse_unknown(const JsonObject& object, const std::string& pointer, Findings& findings) {
  constexpr std::array<std::string_view, 20> known{"command",
                                                   "url",
                                                   "headers",
                                                   "oauth",
                                                   "args",
                                                   "environment",
                                                   "env",
                                                   "inherit_environment",
                                                   "inherit",
                                                   "directory",
                                                   "cwd",
                                                   "revision",
                                                   "prefix",
                                                   "on_change",
                                                   "pinned",
                                                   "shared",
                                                   "start_timeout_seconds",
                                                   "wait_seconds",
                                                   "question_timeout_seconds",
                                                   "description"};
  for (const auto& [name, value] : object) {
    if (std::ranges::find(known, std::string_view(name)) != known.end()) continue;
    findings.problem(below(pointer, name), "unknown; expected one of " + list_of(known));
  }
}

void read_time(Members& members, std::string_view name, std::chrono::milliseconds& into) {
  constexpr std::int64_t day = 86'400;
  if (const auto seconds = members.count(name, day)) into = std::chrono::seconds(*seconds);
}

/// The tools the operator trusts: a result of tools/list, here or in a file.
void read_pinned(Members& members, const std::string& directory, mcp::BackEndOptions& into, Findings& findings) {
  const auto [value, pointer] = members.find("pinned");
  if (value == nullptr) return;
  try {
    into.pinned = mcp::listing_from(
        value->is_string()
            ? parse_json(system::text_of_file(std::filesystem::path(directory) / value->get_string().c_str()))
            : *value);
  } catch (const std::exception& error) {
    findings.problem(pointer, error.what());
  }
}

mcp::BackEndOptions remote_back_end(std::string name, std::string url) {
  if (const auto wrong = wrong_address(url)) throw std::invalid_argument(*wrong);
  mcp::BackEndOptions made{.name = std::move(name)};
  made.login_command = "toolwire-bridge login " + url.substr(0, url.find('?'));
  made.remote = remote::RemoteServer{.url = std::move(url)};
  return made;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (std::exchange(in_word, false)) words.push_back(std::exchange(word, {}));
      continue;
    }
    in_word = true;
    if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      word.push_back(text[++at]);
    } else if (quote == c) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else {
      word.push_back(c);
    }
  }
  if (quote != 0) throw std::invalid_argument(std::string("expected a closing ") + quote);
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::optional<std::string> wrong_address(const std::string& url) {
  if (http_origin_of(url)) return std::nullopt;
  return "expected an http or https address without user name and password; those belong into \"headers\"";
}

bool says_who_asks(const HttpHeaders& headers) {
  return std::ranges::any_of(headers,
                             [](const auto& header) { return header_text::lower(header.first) == "authorization"; });
}

std::optional<std::string> wrong_header(std::string_view name, std::string_view value) {
  if (!header_text::is_token(name)) return "expected the name of a header field";
  if (remote::is_of_protocol(name)) return "is a header field of the protocol or the connection; leave it out";
  if (header_text::has_control(value)) return "expected a value without control characters, such as line feeds";
  return std::nullopt;
}

std::string start_text_of(const mcp::BackEndOptions& server) {
  if (!server.reached_at.empty()) return "is reached at " + server.reached_at;
  return server.remote ? "is reached over HTTP at " + http_origin_of(server.remote->url).value_or("") : start_text({});
}

std::optional<mcp::Prefix> prefix_named(std::string_view name) {
  if (name == "on_conflict") return mcp::Prefix::on_conflict;
  if (name == "always") return mcp::Prefix::always;
  if (name == "never") return mcp::Prefix::never;
  return std::nullopt;
}

std::optional<mcp::BackEndOptions> read_back_end(const std::string& name, const Json& json, const std::string& pointer,
                                                 const std::string& directory, Findings& findings,
                                                 const std::string& oauth_place) {
  if (!json.is_object()) {
    findings.problem(pointer, "expected an object with \"command\" or \"url\"");
    return std::nullopt;
  }
  Findings own("");
  Members members(json.get_object(), pointer, own, Members::Null::a_value);
  refuse_unknown(json.get_object(), pointer, own);
  mcp::BackEndOptions read{.name = name};
  if (members.find("url").value != nullptr) {
    refuse_what_programs_have(json.get_object(), pointer, own);
    read_remote(members, read, own);
    read_oauth(members, oauth_place, directory, read, own);
  } else {
    read_program(members, pointer, directory, read, own);
  }
  read_revision(members, read, own);
  read_prefix(members, read, own);
  const std::string on_change = members.stated_text("on_change").value_or("refuse");
  if (on_change != "refuse" && on_change != "accept")
    own.problem(below(pointer, "on_change"), "expected \"refuse\" or \"accept\"");
  read.on_change = on_change == "accept" ? mcp::OnChange::accept : mcp::OnChange::refuse;
  read_pinned(members, directory, read, own);
  read.shareable = members.flag("shared").value_or(true);
  read_time(members, "start_timeout_seconds", read.start_timeout);
  read_time(members, "wait_seconds", read.max_wait);
  read_time(members, "question_timeout_seconds", read.question_age);
  const auto problems = own.take_problems("");
  for (const ManifestProblem& problem : problems) findings.problem(problem.pointer, problem.text);
  return problems.empty() ? std::optional(std::move(read)) : std::nullopt;
}

bool is_address(std::string_view text) { return text.starts_with("http://") || text.starts_with("https://"); }

mcp::BackEndOptions back_end_from(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const bool fine = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
  if (equals == std::string_view::npos || !fine)
    throw std::invalid_argument("expected NAME=COMMAND, where NAME has letters, digits, '_' and '-' only");
  const std::string_view what = text.substr(equals + 1);
  if (is_address(what)) return remote_back_end(std::string(name), std::string(what));
  mcp::BackEndOptions read{.name = std::string(name), .command = words_of(what)};
  if (read.command.empty()) throw std::invalid_argument("expected a program after \"" + std::string(name) + "=\"");
  return read;
}

}  // namespace toolwire::bridge
