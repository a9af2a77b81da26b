#include "templates/template_text.hpp"

#include <toolwire/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

namespace toolwire::bridge {
namespace {

constexpr std::string_view environment_mark = "${env:";
constexpr std::size_t min_secret = 4;

bool is_name_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
}

bool is_variable(std::string_view name) {
  return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_name_character(c) && c != '-' && c != '.'; });
}

bool is_parameter(std::string_view name) {
  if (name.starts_with('/')) return name.size() > 1;
  return !name.empty() && std::all_of(name.begin(), name.end(), is_name_character);
}

bool take_end(std::string_view& name, char mark) {
  if (!name.ends_with(mark)) return false;
  name.remove_suffix(1);
  return true;
}

TemplatePiece parameter_piece(std::string_view name, TemplatePlace place) {
  TemplatePiece piece{.kind = TemplatePiece::Kind::parameter};
  piece.optional = take_end(name, '?');
  piece.has_segments = place == TemplatePlace::path && take_end(name, '*');
  if (!is_parameter(name))
    throw TemplateError(
        "expected the name of a parameter between the braces, as in {name} or {name?}; braces that "
        "stand for themselves are written {{ and }}");
  if (place == TemplatePlace::setting) throw TemplateError("parameters cannot be used here, only ${env:NAME}");
  piece.text = name;
  return piece;
}

TemplatePiece environment_piece(std::string_view name, TemplatePlace place) {
  if (place != TemplatePlace::header && place != TemplatePlace::setting)
    throw TemplateError("${env:NAME} can be used in headers and in the environment of a process only");
  if (!is_variable(name)) throw TemplateError("expected the name of a variable in ${env:NAME}");
  return {.kind = TemplatePiece::Kind::environment, .text = std::string(name)};
}

std::string_view up_to_brace(std::string_view text, std::size_t from) {
  const std::size_t end = text.find('}', from);
  if (end == std::string_view::npos) throw TemplateError("a brace is opened and not closed; {{ stands for one brace");
  return text.substr(from, end - from);
}

std::optional<std::string> unescaped(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      text += token[i];
    } else if (i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
      text += token[++i] == '0' ? '~' : '/';
    } else {
      return std::nullopt;
    }
  }
  return text;
}

const Json* step(const Json& from, const std::string& token) {
  if (const JsonObject* object = from.if_object()) return object->if_contains(token);
  const JsonArray* array = from.if_array();
  const bool is_index = !token.empty() && token.size() < 10 && token.find_first_not_of("0123456789") == token.npos;
  if (array == nullptr || !is_index) return nullptr;
  return array->if_contains(std::stoul(token));
}

const Json* follow(const Json& parameters, std::string_view pointer) {
  const Json* at = &parameters;
  while (at != nullptr && !pointer.empty()) {
    const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
    const auto token = unescaped(pointer.substr(1, end - 1));
    at = token ? step(*at, *token) : nullptr;
    pointer.remove_prefix(end);
  }
  return at;
}

}  // namespace

TemplateText::TemplateText(std::string_view text, TemplatePlace place) {
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) pieces_.push_back({.text = std::exchange(literal, {})});
  };
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      literal += rest.front();
      i += 2;
    } else if (rest.starts_with(environment_mark)) {
      const std::string_view name = up_to_brace(text, i + environment_mark.size());
      end_literal();
      pieces_.push_back(environment_piece(name, place));
      i += environment_mark.size() + name.size() + 1;
    } else if (rest.front() == '{') {
      const std::string_view name = up_to_brace(text, i + 1);
      end_literal();
      pieces_.push_back(parameter_piece(name, place));
      i += name.size() + 2;
    } else if (rest.front() == '}') {
      throw TemplateError("a brace is closed that was not opened; }} stands for one brace");
    } else {
      literal += rest.front();
      i += 1;
    }
  }
  end_literal();
}

TemplateText TemplateText::verbatim(std::string text) {
  TemplateText made;
  made.pieces_.push_back({.text = std::move(text)});
  return made;
}

bool TemplateText::is_literal() const {
  return std::all_of(pieces_.begin(), pieces_.end(),
                     [](const TemplatePiece& piece) { return piece.kind == TemplatePiece::Kind::literal; });
}

bool TemplateText::is_one_parameter() const {
  return pieces_.size() == 1 && pieces_.front().kind == TemplatePiece::Kind::parameter;
}

std::string TemplateText::literal_prefix() const {
  const bool begins = !pieces_.empty() && pieces_.front().kind == TemplatePiece::Kind::literal;
  return begins ? pieces_.front().text : std::string();
}

void TemplateText::add_names_to(std::vector<std::string>& names) const {
  for (const TemplatePiece& piece : pieces_) {
    if (piece.kind == TemplatePiece::Kind::parameter) names.push_back(piece.text);
  }
}

const Json* parameter_value(const Json& parameters, const std::string& name) {
  const Json* value = name.starts_with('/') ? follow(parameters, name) : step(parameters, name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const Json* value_of(const TemplatePiece& piece, const Json& parameters) {
  const Json* value = parameter_value(parameters, piece.text);
  if (value == nullptr && !piece.optional)
    throw InvalidArguments(piece.text + ": missing; this tool cannot do without");
  return value;
}

std::string plain_text(const Json& value) {
  return value.is_string() ? std::string(value.get_string()) : to_json_text(value);
}

std::string environment_value(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr)
    throw ToolError("the environment variable " + name +
                    ", which this tool's binding needs, is not set; it is to be "
                    "set where the bridge is started");
  return value;
}

bool fill(const TemplateText& text, const Json& parameters, std::string& into, std::vector<std::string>& secrets) {
  for (const TemplatePiece& piece : text.pieces()) {
    if (piece.kind == TemplatePiece::Kind::literal) {
      into += piece.text;
    } else if (piece.kind == TemplatePiece::Kind::environment) {
      into += secrets.emplace_back(environment_value(piece.text));
    } else if (const Json* value = value_of(piece, parameters)) {
      into += plain_text(*value);
    } else {
      return false;
    }
  }
  return true;
}

std::string without_secrets(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < min_secret) continue;
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 3))
      text.replace(at, secret.size(), "***");
  }
  return text;
}

}  // namespace toolwire::bridge
