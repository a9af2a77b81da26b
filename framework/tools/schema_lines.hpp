// `toolwire-schema --lines`: one JSON request a line, one JSON answer a line, for other programs and for measuring.
// Independent of files.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "toolwire/schema.hpp"

namespace toolwire::schema {

/// Answers {"id"?, "dialect"?, "schema", "instance", "repeat"?, "include_parse"?} with {"id"?, "valid", "errors": […]},
/// with `repeat` also with times in nanoseconds, or with {"id"?, "error": "…"}. Never throws for bad input.
std::string answer_line(std::string_view line, const SchemaOptions& options);

/// Answers until the end of `in`, flushing after each line.
void answer_lines(std::istream& in, std::ostream& out, const SchemaOptions& options);

}  // namespace toolwire::schema
