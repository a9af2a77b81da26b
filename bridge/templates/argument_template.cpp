#include "templates/argument_template.hpp"

#include <toolwire/error.hpp>

#include <string_view>

#include "templates/program_text.hpp"

namespace toolwire::bridge {
namespace {

/// Whether a value after this text could choose a flag or add to a cluster of them: "-", "--", "-n".
bool leaves_flag_open(const std::string& prefix) {
  return prefix.starts_with('-') && prefix.find('=') == std::string::npos;
}

void refuse_nul(const std::string& name, const std::string& text) {
  if (text.find('\0') != std::string::npos) throw InvalidArguments(name + ": NUL characters cannot be passed on");
}

std::string whole_argument(const std::string& name, const Json& value, bool after_flags) {
  std::string text = plain_text(value);
  refuse_nul(name, text);
  if (!after_flags && text.starts_with('-'))
    throw InvalidArguments(name + ": must not begin with \"-\": it would be taken for a flag");
  return text;
}

}  // namespace

ArgumentTemplate::ArgumentTemplate(const Json& argv, const std::string& pointer, Findings& findings) {
  std::size_t index = 0;
  for (const Json& entry : argv.as_array()) add(entry, "", below(pointer, index++), findings);
  check_program(pointer, findings);
}

void ArgumentTemplate::add(const Json& entry, const std::string& when, const std::string& pointer, Findings& findings) {
  if (const auto* text = entry.if_string()) return add_text(*text, when, pointer, findings);
  add_group(entry, pointer, findings);
}

void ArgumentTemplate::add_group(const Json& entry, const std::string& pointer, Findings& findings) {
  const std::string when(entry.at("when").as_string());
  const std::string place = below(pointer, "argv");
  std::size_t index = 0;
  const bool before = after_flags_;
  for (const Json& part : entry.at("argv").as_array())
    add_text(part.as_string(), when, below(place, index++), findings);
  after_flags_ = before;  // the group may be left out, and a "--" with it
}

void ArgumentTemplate::add_text(std::string_view text, const std::string& when, const std::string& pointer,
                                Findings& findings) {
  if (text.find('\0') != std::string_view::npos) return findings.problem(pointer, "expected a text without NUL");
  try {
    Argument argument{TemplateText(text, TemplatePlace::argument), when, after_flags_};
    if (!argument.text.is_literal() && !after_flags_ && leaves_flag_open(argument.text.literal_prefix()))
      findings.problem(pointer,
                       "the value could change the flag it stands behind: expected \"--name={value}\", or a "
                       "\"--\" before it");
    after_flags_ = after_flags_ || text == "--";
    arguments_.push_back(std::move(argument));
  } catch (const TemplateError& error) {
    findings.problem(pointer, error.what());
  }
}

void ArgumentTemplate::check_program(const std::string& pointer, Findings& findings) const {
  if (arguments_.empty()) return;  // reported by the schema or as a problem
  const TemplateText& program = arguments_.front().text;
  if (!program.is_literal() || program.pieces().empty() || !arguments_.front().when.empty())
    return findings.problem(below(pointer, std::size_t{0}), "expected the program itself, without placeholders");
  std::vector<KnownArgument> all;
  std::vector<KnownArgument> always;
  for (const Argument& argument : arguments_) {
    all.push_back({argument.text.literal_prefix(), !argument.text.is_literal()});
    if (argument.when.empty()) always.push_back(all.back());
  }
  if (runs_a_value(all) || runs_a_value(always))
    findings.problem(pointer,
                     "a value inside program text would be run as code: expected it as an argument of its own behind "
                     "the text");
}

bool ArgumentTemplate::Argument::applies(const Json& parameters) const {
  if (when.empty()) return true;
  const Json* condition = parameter_value(parameters, when);
  return condition != nullptr && *condition != false;
}

/// The whole argument is the value: a list makes one argument of each element.
void ArgumentTemplate::Argument::add_value(const Json& parameters, std::vector<std::string>& command) const {
  const TemplatePiece& piece = text.pieces().front();
  const Json* value = value_of(piece, parameters);
  if (value == nullptr) return;
  const JsonArray* list = value->if_array();
  if (list == nullptr) {
    command.push_back(whole_argument(piece.text, *value, after_flags));
    return;
  }
  for (const Json& element : *list) command.push_back(whole_argument(piece.text, element, after_flags));
}

void ArgumentTemplate::Argument::add_text(const Json& parameters, std::vector<std::string>& command) const {
  std::string filled;
  std::vector<std::string> no_secrets;
  if (!fill(text, parameters, filled, no_secrets)) return;
  std::vector<std::string> names;
  text.add_names_to(names);
  if (!names.empty()) refuse_nul(names.front(), filled);
  if (!names.empty() && !after_flags && filled.starts_with('-') && !text.literal_prefix().starts_with('-'))
    throw InvalidArguments(names.front() + ": must not begin with \"-\": it would be taken for a flag");
  command.push_back(std::move(filled));
}

std::vector<std::string> ArgumentTemplate::expand(const Json& parameters) const {
  std::vector<std::string> command;
  for (const Argument& argument : arguments_) {
    if (!argument.applies(parameters)) continue;
    if (argument.text.is_one_parameter()) {
      argument.add_value(parameters, command);
    } else {
      argument.add_text(parameters, command);
    }
  }
  return command;
}

std::string ArgumentTemplate::program() const {
  const std::string path = arguments_.empty() ? std::string() : arguments_.front().text.literal_prefix();
  return path.substr(path.rfind('/') + 1);
}

std::vector<std::string> ArgumentTemplate::names() const {
  std::vector<std::string> all;
  for (const Argument& argument : arguments_) {
    if (!argument.when.empty()) all.push_back(argument.when);
    argument.text.add_names_to(all);
  }
  return all;
}

}  // namespace toolwire::bridge
