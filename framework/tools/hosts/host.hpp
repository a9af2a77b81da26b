// The hosts that start MCP servers: where each keeps them and in which form. Data only; the table is host_table.cpp.
#pragma once

#include <chrono>
#include <span>
#include <string_view>

namespace toolwire::hosts {

/// commented_json: with comments, but without a comma behind the last member or element, which jsonc may have.
enum class Format { json, commented_json, jsonc, toml, yaml };

/// For whom a server is there: this user everywhere, everybody in one folder, this user in one folder.
enum class Scope { user, project, local };

/// How far a place is known.
enum class Trust {
  sure,
  if_there,   ///< Sources differ, or one alone names it: used only where exactly one of the files exists.
  print_only  ///< Sources differ, and files of several of them may lie about: never written.
};

/// Places of one file, one for each system; several are separated by '|', and the first that exists is the one. They
/// begin with ~ or with a variable ($NAME, on Windows %NAME%), or are relative to the folder of the project. One with
/// an unset variable does not count; "!" makes one whose variable is set the only one.
struct Places {
  std::string_view linux_ = {}, mac = {}, windows = {};
  Trust linux_trust = Trust::sure, mac_trust = Trust::sure, windows_trust = Trust::sure;
};

/// The host's own command, if it has one that asks nothing. Words are separated by blanks; of those, @name, @scope and
/// @json (the entry) stand for one word, @named (the entry with its name) too, @line for the server and its arguments,
/// @program for the server, @args for its arguments, and "@env:-e" for "-e K=V" of each variable.
struct OwnCommand {
  std::string_view program = {};
  std::string_view add = {}, remove = {};
  bool user = false, project = false, local = false;  ///< The scopes it knows.
  bool takes_any_argument = true;                     ///< False: no variables, and no argument that begins with '-'.
};

/// What a click can install; @name stands for the name, @base64 and @percent for the entry, @named for the entry with
/// its name, @command for the program, @args for "&arg=…" of each argument, all fit for a URL.
struct Links {
  std::string_view link = {}, web = {};
};

struct Host {
  std::string_view name, title;
  Format format = Format::json;
  std::string_view key;  ///< Of the table or object of servers.
  /// What stands under the name, as JSON: "@command", "@args", "@env" (left out without variables), "@line" (program
  /// and arguments) and "@name" are replaced.
  std::string_view entry = R"({"command": "@command", "args": "@args", "env": "@env"})";
  std::string_view needed = {};  ///< A member without which it takes no entry.
  bool is_list = false;          ///< The servers are a list instead, and the name is a member.
  Places user = {}, project = {};
  bool has_local =
      false;  ///< Servers of this user for one folder stand in the user's file, under "projects" and the folder.
  OwnCommand own = {};
  Links links = {};
  std::chrono::milliseconds start_limit{30'000};  ///< How long it waits for a server.
  std::chrono::milliseconds slow_start{30'000};   ///< From when on it does without it for a while.
  std::string_view schemas_as = {};  ///< Whose refusals of schemas are its own, as toolwire/schema.hpp calls them.
  bool other_sdk = false;  ///< Not built on the official TypeScript SDK, whose refusals of answers may not be its own.
  /// What the variables begin with that it replaces in an entry, between blanks; "$A" is '$' and a letter, digit or
  /// '_'.
  std::string_view variables = "${";
  std::string_view kept_names = {};  ///< Names, between blanks, that it has for itself: no server of them is loaded.
  std::string_view note = {};        ///< For whoever has installed something.
};

/// All hosts, sorted by name.
std::span<const Host> all_hosts();

/// Whether it loads no server of that name.
bool keeps_name(const Host& host, std::string_view server);

/// The host of that name, or null.
const Host* find_host(std::string_view name);

std::string_view name_of(Scope scope);

}  // namespace toolwire::hosts
