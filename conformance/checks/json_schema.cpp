// The schemas of tools: dialects, references, bounds (2026-07-28 basic, JSON Schema usage).
#include <string>

#include <toolwire/schema.hpp>

#include "checks/groups.hpp"
#include "checks/tools.hpp"
#include "driver/arguments.hpp"
#include "driver/listening_port.hpp"

namespace toolwire::conformance {
namespace {

using namespace std::chrono_literals;

bool schema_call_refused(const Answer& answer) {
  return answer.is_error() || get(answer.result, "isError") == Json(true);
}

Answer schema_call(Probe& probe, std::string_view name, const Json& arguments) {
  return probe.session().request("tools/call", {{"name", name}, {"arguments", arguments}});
}

/// The fixture of the official suite takes a name and an address with street and city.
void default_dialect(Probe& probe) {
  const Fixture fixture = probe.need("tool:schema-2020-12");
  const Json& schema = get(*probe.offer().tool(fixture.name), "inputSchema");
  const Json wrong = {{"name", 5}, {"address", "no object"}, {"unexpected", true}};
  try {
    if (Schema::compile(schema).is_valid(wrong)) probe.skip("the schema of the fixture takes anything");
  } catch (const SchemaError& error) {
    probe.skip(std::string("the schema of the fixture cannot be compiled: ") + error.what());
  }
  const Answer answer = schema_call(probe, fixture.name, wrong);
  probe.expect_answer(answer, "tools/call of " + fixture.name);
  probe.expect(schema_call_refused(answer), "an error: the arguments do not fit the schema", answer.text());
}

void keywords_preserved(Probe& probe) {
  const Json& schema = get(*probe.offer().tool(probe.need("tool:schema-2020-12").name), "inputSchema");
  for (std::string_view keyword : {"$schema", "$defs", "additionalProperties"})
    probe.expect(schema.as_object().contains(keyword), "the keyword " + std::string(keyword) + " as it was written",
                 shown(schema));
  probe.expect(to_json_text(schema).find("\"$ref\"") != std::string::npos, "the keyword $ref as it was written",
               shown(schema));
}

/// In draft-07 an array of schemas under "items" is a tuple; in 2020-12 it is none.
void declared_dialect(Probe& probe) {
  const Fixture fixture = probe.need("tool:schema-draft07");
  const Answer good = schema_call(probe, fixture.name, Json(filled(fixture.arguments, "JSON", 1)));
  probe.expect_result(good, "tools/call of " + fixture.name);
  probe.expect(!schema_call_refused(good), "success: the arguments fit as draft-07", shown(good.result));
  const Json& schema = get(*probe.offer().tool(fixture.name), "inputSchema");
  probe.expect(text_of(get(schema, "$schema")).find("draft-07") != std::string_view::npos,
               "the dialect as it was declared", shown(schema));
}

void unsupported_dialect(Probe& probe) {
  const Fixture fixture = probe.need("tool:schema-unknown-dialect");
  const Answer answer = schema_call(probe, fixture.name, JsonObject{});
  probe.expect_answer(answer, "tools/call of " + fixture.name);
  probe.expect(schema_call_refused(answer), "an error that says that the dialect is unknown", answer.text());
}

void no_network_ref(Probe& probe) {
  const Fixture fixture = probe.need("tool:schema-network-ref");
  const ListeningPort port;
  Launch launch = probe.target().launch;
  launch.environment["TOOLWIRE_CONFORMANCE_PORT"] = std::to_string(port.number());
  Session& session = probe.opened({}, launch);
  session.request("tools/list");
  session.request("tools/call", {{"name", fixture.name}, {"arguments", JsonObject{}}});
  session.listen_for(100ms);
  probe.expect(!port.was_visited(), "no connection to the address in $ref", "one");
}

void unresolved_ref_rejected(Probe& probe) {
  const Fixture fixture = probe.need("tool:schema-network-ref");
  const Answer answer = schema_call(probe, fixture.name, {{"value", JsonArray{1, "junk"}}});
  probe.expect_answer(answer, "tools/call of " + fixture.name);
  probe.expect(schema_call_refused(answer), "an error: the reference is not resolved", answer.text());
}

bool has_external_reference(const Json& json) {
  if (const JsonArray* array = json.if_array()) {
    for (const Json& item : *array) {
      if (has_external_reference(item)) return true;
    }
  }
  const JsonObject* object = json.if_object();
  if (object == nullptr) return false;
  for (const auto& [name, value] : *object) {
    if (name == "$ref" && text_of(value).find("://") != std::string_view::npos) return true;
    if (has_external_reference(value)) return true;
  }
  return false;
}

void no_external_ref_published(Probe& probe) {
  need_tools(probe);
  const auto fixture = probe.find("tool:schema-network-ref");
  for (const Json& tool : probe.offer().tools) {
    if (fixture && text_of(get(tool, "name")) == fixture->name) continue;  // made to break this very rule
    probe.expect(
        !has_external_reference(get(tool, "inputSchema")) && !has_external_reference(get(tool, "outputSchema")),
        "references within the schema only", shown(tool));
  }
}

void bounded_validation(Probe& probe) {
  const Fixture fixture = probe.need("tool:schema-recursive");
  const Json* const tool = probe.offer().tool(fixture.name);
  if (tool == nullptr) probe.skip("the server has no tool " + fixture.name);
  JsonObject given;
  for (const auto& [name, value] : fixture.arguments) {
    if (text_of(value) != "<JSON>") given[name] = value;
  }
  const auto deep = deep_arguments(get(*tool, "inputSchema"), 10'000, given);
  if (!deep) probe.skip("the schema of " + fixture.name + " has nothing that contains its like");
  Session& session = probe.opened();
  std::string line = session.request_text("deep", "tools/call", {{"name", fixture.name}, {"arguments", "<DEEP>"}});
  line.replace(line.find("\"<DEEP>\""), 8, *deep);
  session.send_line(line);
  const Answer answer = session.await("deep", probe.timeout(5s));
  probe.expect_answer(answer, "arguments 10 000 levels deep");
  probe.expect_alive(session);
}

void valid_everywhere(Probe& probe) {
  need_tools(probe);
  const auto odd = probe.find("tool:schema-unknown-dialect");
  for (const Json& tool : probe.offer().tools) {
    if (odd && text_of(get(tool, "name")) == odd->name) continue;
    for (std::string_view member : {"inputSchema", "outputSchema"}) {
      const Json& schema = get(tool, member);
      if (!schema.is_object() || has_external_reference(schema)) continue;
      try {
        Schema::compile(schema, {.unsupported_pattern = UnsupportedPattern::annotate});
      } catch (const SchemaError& error) {
        if (std::string_view(error.what()).find("ialect") != std::string_view::npos) continue;
        probe.fail("a valid " + std::string(member), std::string(text_of(get(tool, "name"))) + ": " + error.what());
      }
    }
  }
}

}  // namespace

std::span<const Check> json_schema_checks() {
  static constexpr Check checks[] = {
      {"schema-default-dialect", default_dialect},
      {"schema-keywords-preserved", keywords_preserved},
      {"schema-declared-dialect", declared_dialect},
      {"schema-unsupported-dialect", unsupported_dialect},
      {"schema-no-network-ref", no_network_ref},
      {"schema-unresolved-ref-rejected", unresolved_ref_rejected},
      {"schema-no-external-ref-published", no_external_ref_published},
      {"schema-bounded-validation", bounded_validation},
      {"schema-valid-everywhere", valid_everywhere},
  };
  return checks;
}

}  // namespace toolwire::conformance
