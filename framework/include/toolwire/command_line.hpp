// The options every program made with toolwire understands, and a program's own beside them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toolwire {

/// Parses once, in `parse`. Not thread-safe. Own options are bound to variables that must live until `parse` has returned.
///
///   toolwire::CommandLine line{"workspace", "1.0.0", "Files and code search below one folder."};
///   line.option("--root", "DIR", "The folder to serve", root);
///   if (auto status = line.parse(argc, argv)) return *status;
///   … register tools …
///   return server.run_stdio(line);
class CommandLine {
 public:
  enum class Action { serve, list, call };

  CommandLine(std::string name, std::string version, std::string summary);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void option(const std::string& name, const std::string& value_name, const std::string& help, std::string& into);
  void option(const std::string& name, const std::string& value_name, const std::string& help, std::vector<std::string>& into);
  void flag(const std::string& name, const std::string& help, bool& into);

  /// Returns the exit status if the program is done: 0 after --help and --version, 2 after a mistake, which is explained on stderr.
  std::optional<int> parse(int argc, char** argv);

  Action action() const { return action_; }
  const std::string& tool() const { return tool_; }            // of --call
  const std::string& arguments() const { return arguments_; }  // of --call: JSON text
  const std::string& trace_file() const { return trace_; }     // of --trace or TOOLWIRE_TRACE; empty: no trace

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  Action action_ = Action::serve;
  std::string tool_;
  std::string arguments_;
  std::string trace_;
};

}  // namespace toolwire
