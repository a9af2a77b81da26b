// The options that every program made with toolwire understands, together with the program's own. Independent of tools;
// Server::run_stdio carries out what an option requests.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toolwire {

/// Every program has: --help, --version, --list (its tools, for people; with --json as in tools/list), --call NAME
/// [JSON] (runs one tool and prints its result; "-" reads the JSON from standard input; with --json the whole result),
/// and --trace FILE (records the connection, see `trace_file`).
///
/// Call `parse` once; one never parsed means: serve. Not thread-safe. Own options are bound to variables, which live
/// until `parse` has returned, and keep their value if not given. An empty value is a mistake, but is one of a list.
///
///   toolwire::CommandLine line{"workspace", "1.0.0", "Files and code search below one folder."};
///   line.option("--root", "DIR", "The folder to serve", root);
///   if (auto status = line.parse(argc, argv)) return *status;
///   … register tools …
///   return server.run_stdio(line);
class CommandLine {
 public:
  enum class Action { serve, list, call };

  CommandLine(std::string name, std::string version, const std::string& summary);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// `--name VALUE`, also with a short form: "--root,-r". With a list, the option may be given several times. Throw
  /// std::invalid_argument if the name does not begin with a dash or is taken.
  void option(const std::string& name, const std::string& value_name, const std::string& help, std::string& into);
  void option(const std::string& name, const std::string& value_name, const std::string& help,
              std::vector<std::string>& into);
  /// `--name` without a value: true if it is given. Throws as `option`.
  void flag(const std::string& name, const std::string& help, bool& into);
  /// Arguments that belong to no option, such as "FILE". Call it once at most; if it is not called, such arguments are
  /// a mistake.
  void operands(const std::string& value_name, const std::string& help, std::vector<std::string>& into);

  /// Returns the exit status if the program is done: 0 after --help and --version, 2 after a mistake, which is
  /// explained on stderr.
  std::optional<int> parse(int argc, const char* const* argv);

  const std::string& name() const { return name_; }
  Action action() const { return action_; }
  bool as_json() const { return as_json_; }                    // of --list and --call
  const std::string& tool() const { return tool_; }            // of --call
  const std::string& arguments() const { return arguments_; }  // of --call: JSON text, "{}" if not given, or "-"
  /// The file named by --trace, else by the environment variable TOOLWIRE_TRACE; empty: no trace. Each line of it is
  /// {"in": message, "at": seconds} or the same with "out", a transcript as tests/wire replays; values of members whose
  /// names look like password, token, secret … are left out (see redact.hpp).
  const std::string& trace_file() const { return trace_; }

 private:
  struct Parser;
  std::optional<int> mistake(const std::string& text) const;
  std::optional<int> take_action();

  std::string name_;
  std::unique_ptr<Parser> parser_;
  Action action_ = Action::serve;
  bool as_json_ = false;
  std::string tool_;
  std::string arguments_;
  std::string trace_;
};

}  // namespace toolwire
