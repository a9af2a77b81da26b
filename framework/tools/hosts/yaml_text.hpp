// A JSON value as YAML for people to copy: block style, texts in double quotes.
#pragma once

#include <string>
#include <toolwire/json.hpp>

namespace toolwire::hosts {

std::string yaml_text(const JsonObject& value);

}  // namespace toolwire::hosts
