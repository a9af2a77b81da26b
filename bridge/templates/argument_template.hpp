// The command line of a process with placeholders for values. A value fills one argument or a part of one: it never
// becomes a flag, is never split, and no shell reads it.
#pragma once

#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"
#include "templates/template_text.hpp"

namespace toolwire::bridge {

/// Immutable; made once when the bindings are read.
class ArgumentTemplate {
 public:
  /// From `argv` of a binding: texts, and `{"when": NAME, "argv": […]}` for arguments that are used only if the
  /// parameter is there (and is not false). Problems go to `findings`.
  ArgumentTemplate(const Json& argv, const std::string& pointer, Findings& findings);

  /// The program and its arguments. Throws InvalidArguments for a value that is not allowed in its place.
  std::vector<std::string> expand(const Json& parameters) const;

  /// The name of the program without folders, for texts.
  std::string program() const;

  /// The parameters it uses.
  std::vector<std::string> names() const;

 private:
  struct Argument {
    TemplateText text = {};
    std::string when = {};     // only if this parameter is there; empty: always
    bool after_flags = false;  // behind a "--": a value may begin with '-'

    bool applies(const Json& parameters) const;
    void add_value(const Json& parameters, std::vector<std::string>& command) const;
    void add_text(const Json& parameters, std::vector<std::string>& command) const;
  };

  void add(const Json& entry, const std::string& when, const std::string& pointer, Findings& findings);
  void add_text(std::string_view text, const std::string& when, const std::string& pointer, Findings& findings);
  void add_group(const Json& entry, const std::string& pointer, Findings& findings);
  void check_program(const std::string& pointer, Findings& findings) const;

  std::vector<Argument> arguments_;
  bool after_flags_ = false;
};

}  // namespace toolwire::bridge
