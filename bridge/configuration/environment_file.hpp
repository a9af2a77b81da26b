// A file of variables, one "NAME=value" a line, as hosts name it with `envFile`.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace toolwire::bridge {

/// Lines that are empty or begin with '#' are left out, "export " before a name and quotes around a value, with a
/// comment behind them, too. What others could read in another way is refused: quotes that do not end, a # behind a
/// space without quotes. Throws std::invalid_argument naming the line and what was expected.
std::map<std::string, std::string> environment_from(std::string_view text);

}  // namespace toolwire::bridge
