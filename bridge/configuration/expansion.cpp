#include "configuration/expansion.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

namespace toolwire::bridge {
namespace {

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool may_be_secret(std::string_view place) { return place.starts_with("file:") || place.starts_with("cmd:"); }

std::string without_line_end(std::string text) {
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

}  // namespace

std::optional<std::string> Expansion::expand(std::string_view text, const std::string& pointer, Findings& findings,
                                             SecretPlaces secret_places) {
  std::string expanded;
  while (true) {
    const std::size_t begin = text.find("${");
    expanded += text.substr(0, begin);
    if (begin == std::string_view::npos) return expanded;
    if (begin > 0 && text[begin - 1] == '$') {
      expanded += '{';  // the second dollar has been taken
      text.remove_prefix(begin + 2);
      continue;
    }
    const std::size_t end = text.find('}', begin);
    if (end == std::string_view::npos) {
      findings.problem(pointer, "expected a closing } behind \"${\"; \"$${\" stands for the characters");
      return std::nullopt;
    }
    try {
      const std::string place(text.substr(begin + 2, end - begin - 2));
      if (secret_places == SecretPlaces::refused && may_be_secret(place))
        throw std::invalid_argument(
            "${file:…} and ${cmd:…} may hold secrets; expected them in \"args\", \"env\", \"headers\" and \"url\" "
            "only");
      expanded += value_of(place);
    } catch (const std::exception& error) {
      findings.problem(pointer, error.what());
      return std::nullopt;
    }
    text.remove_prefix(end + 1);
  }
}

std::string Expansion::value_of(const std::string& place) {
  if (place.starts_with("env:")) return variable(place.substr(4));
  if (place.starts_with("file:")) return secret(without_line_end(sources_.file(place.substr(5))));
  if (place.starts_with("cmd:")) {
    if (!sources_.command)
      throw std::invalid_argument("${cmd:…} runs a program; expected --allow-commands on the command line");
    return secret(without_line_end(sources_.command(place.substr(4))));
  }
  if (place.starts_with("input:")) {
    const std::string id = place.substr(6);
    throw std::invalid_argument("${input:" + id +
                                "} is asked for by a host with windows, which this is not; expected ${" + id +
                                "} here, and " + id + " set in the environment");
  }
  return variable(place);
}

/// "NAME", or "NAME:-otherwise" for one that is missing or empty. The first "}" ends a place, so that one within
/// another would end up half in the value.
std::string Expansion::variable(const std::string& name) const {
  const std::size_t otherwise = name.find(":-");
  const std::string own = name.substr(0, otherwise);
  if (!is_name(own))
    throw std::invalid_argument(
        "${" + name +
        "} is unknown; expected ${NAME}, ${NAME:-otherwise}, ${env:NAME}, ${file:PATH} or ${cmd:PROGRAM}");
  if (otherwise != std::string::npos && name.find('{', otherwise) != std::string::npos)
    throw std::invalid_argument("${" + name +
                                "} has a { behind \":-\", whose } would end it; expected a value without, or one place "
                                "only");
  const auto value = sources_.variable(own);
  if (otherwise != std::string::npos) return value && !value->empty() ? *value : name.substr(otherwise + 2);
  if (!value)
    throw std::invalid_argument("expected " + own + " to be set in the environment, or ${" + own + ":-otherwise}");
  return *value;
}

std::string Expansion::secret(std::string value) {
  if (value.size() >= shortest_secret) secrets_.push_back(value);
  return value;
}

}  // namespace toolwire::bridge
