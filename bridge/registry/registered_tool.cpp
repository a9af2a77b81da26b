#include "registry/registered_tool.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <toolwire/http/detail/parameter_headers.hpp>

#include "registry/meta_field.hpp"
#include "registry/references.hpp"

namespace toolwire::bridge {
namespace {

constexpr std::size_t max_name = 100;

class Registration {
 public:
  Registration(ToolDefinition definition, std::string provider, SchemaCare care) : care_(care) {
    tool_->definition = std::move(definition);
    tool_->provider = std::move(provider);
  }

  ToolPointer finish() {
    check_name();
    check_parameters();
    lend_definitions();
    tool_->parameters = compile(definition().parameters, "its parameters");
    if (!definition().output.is_null()) tool_->output = compile(definition().output, "its `_output`");
    check_numbers();
    if (!problems_.empty()) throw std::invalid_argument(problems_);
    return std::move(tool_);
  }

 private:
  ToolDefinition& definition() { return tool_->definition; }

  void problem(const std::string& text) {
    problems_.append(problems_.empty() ? "" : "\n").append("tool \"" + definition().name + "\": " + text);
  }

  void check_name() {
    const std::string& name = definition().name;
    const bool fits = !name.empty() && name.size() <= max_name && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
             c == '.';
    });
    if (!fits) problem("a name has 1 to 100 of the characters A-Z, a-z, 0-9, '_', '-' and '.'");
  }

  void check_parameters() {
    if (definition().parameters.is_null())
      definition().parameters = JsonObject{{"type", "object"}, {"additionalProperties", false}};
    const JsonObject* schema = definition().parameters.if_object();
    const Json* type = schema == nullptr ? nullptr : schema->if_contains("type");
    if (type == nullptr || *type != "object")
      return problem("its parameters must be a schema with \"type\": \"object\"");
    if (const auto wrong = remote::wrong_parameter_header(definition().parameters)) problem(*wrong);
    const Json* properties = schema->if_contains("properties");
    if (properties == nullptr || !properties->is_object()) return;
    for (const auto& property : properties->get_object()) check_meta_name(property.key());
  }

  void check_meta_name(std::string_view name) {
    if (!name.starts_with('_')) return;
    if (is_meta_field(name) || care_ == SchemaCare::refuse) {
      problem("parameter \"" + std::string(name) + "\": names that begin with \"_\" belong to the system");
    } else {
      tool_->meta_names.emplace_back(name);
    }
  }

  /// `_output` may use the definitions of the schema it was taken from.
  void lend_definitions() {
    JsonObject* output = definition().output.if_object();
    const JsonObject* parameters = definition().parameters.if_object();
    if (output == nullptr || parameters == nullptr) return;
    for (const char* const place : {"$defs", "definitions"}) {
      const Json* definitions = parameters->if_contains(place);
      if (definitions == nullptr || output->contains(place)) continue;
      if (refers_below(definition().output, std::string("#/") + place + "/")) output->emplace(place, *definitions);
    }
  }

  std::optional<Schema> compile(const Json& document, const std::string& which) {
    SchemaOptions options;
    if (care_ == SchemaCare::note) options.unsupported_pattern = UnsupportedPattern::annotate;
    try {
      Schema schema = Schema::compile(document, options);
      for (const SchemaNote& note : schema.notes())
        tool_->notes.push_back("of " + which + ", " + note.pointer + " is not enforced: " + note.text);
      return schema;
    } catch (const SchemaError& error) {
      const std::string why = which + " cannot be used as a JSON Schema: " + error.what();
      if (care_ == SchemaCare::refuse) problem(why);
      tool_->notes.push_back(why);
      return std::nullopt;
    }
  }

  void check_numbers() {
    const ToolMetadata& metadata = definition().metadata;
    if (metadata.timeout_seconds &&
        (*metadata.timeout_seconds < 0 || *metadata.timeout_seconds > std::int64_t{366} * 24 * 3600))
      problem("timeout_seconds must be from 0 (none) to 31622400, a year");
    if (metadata.rate_limit_per_minute &&
        (*metadata.rate_limit_per_minute < 0 || *metadata.rate_limit_per_minute > 1'000'000'000))
      problem("rate_limit_per_minute must be from 0 (unlimited) to 1000000000");
  }

  const SchemaCare care_;
  std::shared_ptr<RegisteredTool> tool_ = std::make_shared<RegisteredTool>();
  std::string problems_;
};

}  // namespace

ToolPointer registered_tool(ToolDefinition definition, std::string provider, SchemaCare care) {
  return Registration(std::move(definition), std::move(provider), care).finish();
}

}  // namespace toolwire::bridge
