// What the commands about hosts have in common: their arguments, the host that is meant, where things are kept, and how
// what others wrote is shown. Independent of what each command does.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backups.hpp"
#include "config_file.hpp"
#include "hosts/host_entry.hpp"
#include "hosts/host_files.hpp"

namespace toolwire::install {

/// The exit statuses of all commands.
enum Status : int {
  done = 0,
  failed = 1,       ///< Refused, not found, or something is wrong.
  misused = 2,      ///< The command line makes no sense.
  left_to_you = 3,  ///< Nothing was changed: what to do by hand was printed.
};

/// The command line makes no sense.
struct Misuse : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parses; a status if the command ends with that (--help, or a mistake that has been explained).
std::optional<int> parse(CLI::App& app, const std::vector<std::string>& arguments);

/// Parses what stands before the first "--", behind which the server stands; a status as `parse`. Throws Misuse, with
/// an example, if no server stands there.
std::optional<int> parse_before_server(CLI::App& app, const std::vector<std::string>& arguments,
                                       const std::string& example);

/// Runs a command and explains what it throws. Interrupted ends this process as the signal would have.
int reported(std::string_view command, int (*run)(const std::vector<std::string>&),
             const std::vector<std::string>& arguments);

/// A host, or Misuse with the nearest one there is.
const hosts::Host& host_named(const std::string& name);

/// The scope of that name, or, where none is named, the first that the host has. Throws Misuse if it has none such.
hosts::Scope scope_named(const std::string& name, const hosts::Host& host, const hosts::Surroundings& here);

/// Throws Misuse unless every host takes it: letters, digits, '_' and '-', at most 50.
void require_server_name(const std::string& name);

/// A letter, a digit, '_' or '-': what every host takes in names of servers and of tools.
bool is_name_character(char c);

/// "one, two, three"
std::string joined(const std::vector<std::string>& words);

/// Changes a file, and begins again if somebody else has changed it meanwhile. Throws what `change` throws, and
/// ChangedMeanwhile if that goes on.
template <class Change>
int repeated(const Change& change) {
  constexpr int most = 100;
  for (int times = 1;; ++times) {
    try {
      return change();
    } catch (const ChangedMeanwhile&) {
      if (times == most) throw;
    }
  }
}

/// In the folder for the state of programs of this user.
Backups backups_of(const hosts::Surroundings& here);

/// Of a host's file, where the names of its servers lead; nothing where there is no such file. Throws as
/// `read_config_file` and `hosts::member_of`, naming the file.
std::optional<Json> member_in(const ConfigFile& file, const hosts::Host& host, const std::vector<std::string>& path);

/// All servers of a scope, in their order; none where there is no such file.
std::vector<std::pair<std::string, Json>> servers_in(const ConfigFile& file, const hosts::Host& host,
                                                     hosts::Scope scope, const hosts::Surroundings& here);

/// A server on one line, as one would type it, with the names of its variables only. What cannot be seen stands as
/// escapes.
std::string shown(const hosts::Server& server);

}  // namespace toolwire::install
