#include "target/named_fixtures.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "driver/arguments.hpp"

namespace toolwire::conformance {
namespace {

JsonObject sample(JsonObject arguments, const Json& json) {
  const std::pair<std::string_view, Json> values[] = {
      {"TEXT", "text"}, {"SECONDS", 1}, {"BYTES", 1000}, {"JSON", json}};
  for (const auto& [placeholder, value] : values) arguments = filled(arguments, placeholder, value);
  return arguments;
}

bool fits(const Json& schema, const JsonObject& arguments) {
  return std::ranges::any_of(std::array<Json, 2>{Json(1), Json(JsonObject{})},
                             [&](const Json& json) { return may_fit(schema, sample(arguments, json)); });
}

/// Whether a tool that has the name of a fixture is one: it takes such arguments. One that takes a single argument may
/// call it as it likes.
bool takes(const Json& tool, Fixture& fixture) {
  if (fixture.kind.starts_with("tool:schema-")) return true;  // its schema is what it is for
  const Json& schema = get(tool, "inputSchema");
  if (fits(schema, fixture.arguments)) return true;
  const JsonArray* required = get(schema, "required").if_array();
  if (required == nullptr || required->size() != 1 || fixture.arguments.size() != 1) return false;
  const JsonObject renamed{{text_of(required->front()), fixture.arguments.begin()->value()}};
  if (!fits(schema, renamed)) return false;
  fixture.arguments = renamed;
  return true;
}

bool is_listed(const Target& target, const Offer& offer, Fixture& fixture) {
  const std::string_view kind = fixture.kind;
  if (kind.starts_with("tool:")) {
    const Json* tool = offer.tool(fixture.name);
    return tool != nullptr && (fixture.by_profile || (target.may_call(fixture.name) && takes(*tool, fixture)));
  }
  if (kind.starts_with("prompt:")) return offer.prompt(fixture.name) != nullptr;
  if (kind == "resource:template") return offer.resource_template(text_of(get(fixture.entry, "template"))) != nullptr;
  if (kind.starts_with("resource:")) return offer.resource(fixture.name) != nullptr;
  const Json& reference = get(fixture.entry, "ref");
  return offer.prompt(text_of(get(reference, "name"))) != nullptr ||
         offer.resource_template(text_of(get(reference, "uri"))) != nullptr;
}

}  // namespace

std::optional<Fixture> named_fixture(const Target& target, const Offer& offer, std::string_view kind) {
  auto fixture = target.profile.find(kind);
  if (!fixture || !is_listed(target, offer, *fixture)) return std::nullopt;
  return fixture;
}

}  // namespace toolwire::conformance
