// A text with placeholders: `{name}` for a parameter of the call, `${env:NAME}` for a variable of the bridge's
// environment. Knows the syntax; what a value may look like is decided where it is used.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <toolwire/json.hpp>

namespace toolwire::bridge {

/// A text that cannot be a template; `what()` says what was expected.
struct TemplateError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a template is used for, which decides what it may hold.
enum class TemplatePlace {
  argument,  ///< `{name}`, `{name?}`
  path,      ///< the same and `{name*}`, `{name*?}`: several segments
  field,     ///< as an argument: a form field, a query, a member of a body
  header,    ///< as an argument, and `${env:NAME}`
  setting    ///< `${env:NAME}` only: a variable of a process
};

/// One piece of a template. A plain value.
struct TemplatePiece {
  enum class Kind { literal, parameter, environment };
  Kind kind = Kind::literal;
  std::string text = {};      ///< The literal text or the name.
  bool optional = false;      ///< `?`: without a value, what the template makes is left out.
  bool has_segments = false;  ///< `*`
};

/// A parsed template. Immutable.
class TemplateText {
 public:
  TemplateText() = default;
  /// `{{` and `}}` are literal braces. Throws TemplateError.
  TemplateText(std::string_view text, TemplatePlace place);
  /// A literal text without placeholders.
  static TemplateText verbatim(std::string text);

  const std::vector<TemplatePiece>& pieces() const { return pieces_; }
  bool is_literal() const;
  /// Whether it is nothing but one parameter, whose type its result has.
  bool is_one_parameter() const;
  /// The text before the first value.
  std::string literal_prefix() const;
  void add_names_to(std::vector<std::string>& names) const;

 private:
  std::vector<TemplatePiece> pieces_;
};

/// The parameter called `name`; a name that begins with "/" is a JSON pointer into the parameters. Null if it is absent
/// or null.
const Json* parameter_value(const Json& parameters, const std::string& name);

/// The same; throws InvalidArguments if there is none, unless the piece is optional.
const Json* value_of(const TemplatePiece& piece, const Json& parameters);

/// A value as text: strings as they are, numbers and booleans as JSON writes them, lists and objects as compact JSON.
std::string plain_text(const Json& value);

/// The value of a variable of this process's environment. Throws ToolError, naming it, if there is none.
std::string environment_value(const std::string& name);

/// The template with its values put in, without any escaping. Secrets (values from the environment) are added to
/// `secrets`. Returns false if an optional value is absent.
bool fill(const TemplateText& text, const Json& parameters, std::string& into, std::vector<std::string>& secrets);

/// `text` with every secret replaced, except those shorter than four bytes, which occur in ordinary text.
std::string without_secrets(std::string text, const std::vector<std::string>& secrets);

}  // namespace toolwire::bridge
