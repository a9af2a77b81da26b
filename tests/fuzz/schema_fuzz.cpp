// Fuzzes compiling and validating together: the input is a schema and, behind the first newline, an instance. What must
// hold for any input: nothing crashes, the quick answer and the list of violations agree, and so do two runs.
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "toolwire/schema.hpp"

namespace {

using toolwire::Json;

std::optional<Json> parsed(std::string_view text) {
  try {
    return toolwire::parse_json(text);
  } catch (const toolwire::JsonError&) {
    return std::nullopt;
  }
}

toolwire::SchemaOptions options_for(std::uint8_t bits) {
  toolwire::SchemaOptions options;
  options.step_budget = 20'000;  // keeps one input short; the budget itself is under test as well
  options.max_subschemas = 500;
  options.assert_formats = (bits & 1) != 0;
  if ((bits & 2) != 0) options.default_dialect = toolwire::SchemaDialect::draft_07;
  if ((bits & 4) != 0) options.unsupported_pattern = toolwire::UnsupportedPattern::annotate;
  return options;
}

void check(const Json& schema, const Json& instance, const toolwire::SchemaOptions& options) {
  try {
    const auto compiled = toolwire::Schema::compile(schema, options);
    const bool fits = compiled.is_valid(instance);
    if (compiled.is_valid(instance) != fits) std::abort();
    if (compiled.validate(instance).empty() != fits) std::abort();
    (void)compiled.is_valid(schema);
  } catch (const toolwire::SchemaError&) {
    // Most inputs are schemas that are refused.
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const auto line = text.find('\n');
  const auto schema = parsed(text.substr(0, line));
  const auto instance = line == text.npos ? std::nullopt : parsed(text.substr(line + 1));
  if (!schema) return 0;
  (void)toolwire::schema_portability(*schema);
  check(*schema, instance.value_or(Json()), options_for(bytes[0]));
  return 0;
}
