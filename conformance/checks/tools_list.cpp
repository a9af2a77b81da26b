// What tools/list says of each tool.
#include <algorithm>
#include <set>
#include <vector>

#include <toolwire/schema.hpp>

#include "checks/tools.hpp"
#include "probe/lists.hpp"

namespace toolwire::conformance {
namespace {

std::string_view name_of(const Json& tool) { return text_of(get(tool, "name")); }

void tools_capability_declared(Probe& probe) {
  const Answer answer = probe.session().request("tools/list");
  const JsonArray* tools = get(answer.result, "tools").if_array();
  if (!answer.ok() || tools == nullptr || tools->empty()) probe.skip("the server lists no tool");
  probe.expect(probe.offer().has("tools"), "\"tools\" among the capabilities", shown(Json(probe.offer().capabilities)));
}

void tools_list_works(Probe& probe) {
  probe.need_capability("tools");
  Session& session = probe.session();
  const Answer bare = session.request("tools/list");
  probe.expect_result(bare, "tools/list");
  probe.expect(get(bare.result, "tools").is_array(), "an array \"tools\"", shown(bare.result));
  const Answer with_params = session.request("tools/list", {{"_meta", JsonObject{}}});
  probe.expect_result(with_params, "tools/list with params");
}

void tools_entry_shape(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools) {
    probe.expect(get(tool, "name").is_string(), "a tool whose name is a string", shown(tool));
    probe.expect(get(tool, "inputSchema").is_object(), "a tool whose inputSchema is an object", shown(tool));
    for (std::string_view member : {"description", "title"}) {
      const Json* value = tool.as_object().if_contains(member);
      probe.expect(value == nullptr || value->is_string(), "a string \"" + std::string(member) + "\", or none",
                   shown(tool));
    }
  }
}

void inputschema_type_object(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools)
    probe.expect(text_of(get(tool, "inputSchema", "type")) == "object",
                 "\"type\":\"object\" at the root of inputSchema", shown(tool));
}

/// A dialect that clients need not support is skipped; a pattern beyond linear time is not an error of the schema.
void expect_valid_schema(Probe& probe, const Json& tool, std::string_view member) {
  const Json& schema = get(tool, member);
  const std::string_view dialect = text_of(get(schema, "$schema"));
  const bool known = dialect.empty() || dialect.find("2020-12") != std::string_view::npos ||
                     dialect.find("draft-07") != std::string_view::npos;
  if (!schema.is_object() || !known) return;
  try {
    Schema::compile(schema, {.unsupported_pattern = UnsupportedPattern::annotate});
  } catch (const SchemaError& error) {
    if (std::string_view(error.what()).find("reference") != std::string_view::npos) return;  // an absent document
    probe.fail("a valid " + std::string(member) + " of the tool \"" + std::string(name_of(tool)) + "\"", error.what());
  }
}

void inputschema_valid(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools) expect_valid_schema(probe, tool, "inputSchema");
}

void inputschema_valid_early(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools) {
    const Json& properties = get(tool, "inputSchema", "properties");
    const Json& required = get(tool, "inputSchema", "required");
    const JsonObject* members = properties.if_object();
    probe.expect(properties.is_null() ||
                     (members != nullptr &&
                      std::all_of(members->begin(), members->end(),
                                  [](const auto& it) { return it.value().is_object() || it.value().is_bool(); })),
                 "properties that are an object of objects", shown(tool));
    const JsonArray* names = required.if_array();
    probe.expect(required.is_null() || (names != nullptr && std::all_of(names->begin(), names->end(),
                                                                        [](const Json& it) { return it.is_string(); })),
                 "required, an array of strings", shown(tool));
  }
}

void outputschema_shape(Probe& probe) {
  need_tools(probe);
  std::size_t seen = 0;
  for (const Json& tool : probe.offer().tools) {
    const Json* schema = tool.as_object().if_contains("outputSchema");
    if (schema == nullptr) continue;
    ++seen;
    probe.expect(schema->is_object(), "an outputSchema that is an object", shown(tool));
    if (!probe.modern())
      probe.expect(text_of(get(*schema, "type")) == "object", "\"type\":\"object\" at the root of outputSchema",
                   shown(tool));
  }
  if (seen == 0) probe.skip("no tool has an outputSchema");
}

void outputschema_valid(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools) expect_valid_schema(probe, tool, "outputSchema");
}

void tools_name_unique(Probe& probe) {
  need_tools(probe);
  std::set<std::string_view> seen;
  for (const Json& tool : probe.offer().tools)
    probe.expect(seen.insert(name_of(tool)).second, "each name once", std::string(name_of(tool)) + " twice");
}

void name_length(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools)
    probe.expect(!name_of(tool).empty() && name_of(tool).size() <= 128, "names of 1 to 128 characters",
                 "\"" + std::string(name_of(tool)) + "\"");
}

void name_charset(Probe& probe) {
  need_tools(probe);
  constexpr std::string_view allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
  for (const Json& tool : probe.offer().tools)
    probe.expect(name_of(tool).find_first_not_of(allowed) == std::string_view::npos, "only A-Z a-z 0-9 _ - . in names",
                 "\"" + std::string(name_of(tool)) + "\"");
}

void annotations_shape(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools) {
    const Json* annotations = tool.as_object().if_contains("annotations");
    if (annotations == nullptr) continue;
    probe.expect(annotations->is_object(), "annotations that are an object", shown(tool));
    for (const auto& [name, value] : annotations->get_object()) {
      const bool hint = std::string_view(name).ends_with("Hint");
      probe.expect(!hint || value.is_bool(), "hints that are booleans", shown(*annotations));
      probe.expect(name != "title" || value.is_string(), "a title that is a string", shown(*annotations));
    }
  }
}

void tasksupport_enum(Probe& probe) {
  need_tools(probe);
  for (const Json& tool : probe.offer().tools) {
    const Json& support = get(tool, "execution", "taskSupport");
    const std::string_view text = text_of(support);
    probe.expect(support.is_null() || text == "required" || text == "optional" || text == "forbidden",
                 "required, optional or forbidden", shown(tool));
  }
}

/// A schema that names a header. `reachable`: by names of properties alone, so that a client finds its value.
struct NamesHeader {
  const Json* schema;
  bool reachable;
};

void add_headers(const Json& schema, bool reachable, std::vector<NamesHeader>& found) {
  if (const JsonArray* items = schema.if_array()) {
    for (const Json& item : *items) add_headers(item, false, found);
  }
  const JsonObject* members = schema.if_object();
  if (members == nullptr) return;
  if (members->contains("x-mcp-header")) found.push_back({&schema, reachable});
  for (const auto& [keyword, value] : *members) {
    if (keyword != "properties" || !value.is_object()) {
      add_headers(value, false, found);
      continue;
    }
    for (const auto& property : value.get_object()) add_headers(property.value(), reachable, found);
  }
}

/// Calls `look` with each schema that names a header.
template <class Look>
void each_header(Probe& probe, Look look) {
  std::size_t seen = 0;
  for (const Json& tool : probe.offer().tools) {
    std::vector<NamesHeader> headers;
    add_headers(get(tool, "inputSchema"), true, headers);
    for (const NamesHeader& it : headers) look(tool, *it.schema, it.reachable);
    seen += headers.size();
  }
  if (seen == 0) probe.skip("no tool has x-mcp-header");
}

void xmcpheader_syntax(Probe& probe) {
  constexpr std::string_view token = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  each_header(probe, [&](const Json& tool, const Json& property, bool) {
    const std::string_view header = text_of(get(property, "x-mcp-header"));
    probe.expect(!header.empty() && header.find_first_not_of(token) == std::string_view::npos,
                 "a token (RFC 9110 §5.6.2)", shown(tool));
  });
}

void xmcpheader_unique(Probe& probe) {
  std::set<std::string> seen;
  each_header(probe, [&](const Json& tool, const Json& property, bool) {
    std::string key = std::string(name_of(tool)) + "\n" + std::string(text_of(get(property, "x-mcp-header")));
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    probe.expect(seen.insert(key).second, "each header once in a tool, whatever its case", shown(tool));
  });
}

void xmcpheader_primitive(Probe& probe) {
  each_header(probe, [&](const Json& tool, const Json& property, bool reachable) {
    const std::string_view type = text_of(get(property, "type"));
    probe.expect(reachable, "headers of properties that names alone lead to", shown(tool));
    probe.expect(type == "string" || type == "integer" || type == "boolean", "an integer, string or boolean",
                 shown(tool));
  });
}

std::vector<std::string> names_in(Session& session) {
  const Answer answer = session.request("tools/list");
  std::vector<std::string> names;
  if (const JsonArray* tools = get(answer.result, "tools").if_array()) {
    for (const Json& tool : *tools) names.emplace_back(name_of(tool));
  }
  return names;
}

void order_deterministic(Probe& probe) {
  need_tools(probe);
  Session& session = probe.opened();
  const auto first = names_in(session);
  if (first.size() < 2) probe.skip("the server lists fewer than two tools");
  const bool same = names_in(session) == first && names_in(session) == first && names_in(probe.opened()) == first;
  probe.expect(same, "the same order in each answer and in another process", "another order");
}

void tools_list_not_connection_dependent(Probe& probe) {
  need_tools(probe);
  Session& session = probe.opened();
  auto before = names_in(session);
  use_otherwise(probe, session);
  auto after = names_in(session);
  auto elsewhere = names_in(probe.opened());
  for (auto* names : {&before, &after, &elsewhere}) std::sort(names->begin(), names->end());
  probe.expect(before == after && before == elsewhere, "the same tools on every connection", "others");
}

void list_independent_of_client_caps(Probe& probe) {
  need_tools(probe);
  Session& session = probe.opened();
  const auto without = names_in(session);
  session.options().capabilities = all_capabilities(probe.revision());
  names_in(session);
  session.options().capabilities = {};
  probe.expect(names_in(session) == without, "the same tools for the same capabilities", "others");
}

}  // namespace

std::span<const Check> tools_list_checks() {
  static constexpr Check checks[] = {
      {"tools-capability-declared", tools_capability_declared},
      {"tools-list-works", tools_list_works},
      {"tools-entry-shape", tools_entry_shape},
      {"tools-inputschema-type-object", inputschema_type_object},
      {"tools-inputschema-valid", inputschema_valid},
      {"tools-inputschema-valid-early", inputschema_valid_early},
      {"tools-outputschema-shape", outputschema_shape},
      {"tools-outputschema-valid", outputschema_valid},
      {"tools-name-unique", tools_name_unique},
      {"tools-name-length", name_length},
      {"tools-name-charset", name_charset},
      {"tools-annotations-shape", annotations_shape},
      {"tools-tasksupport-enum", tasksupport_enum},
      {"tools-xmcpheader-syntax", xmcpheader_syntax},
      {"tools-xmcpheader-unique", xmcpheader_unique},
      {"tools-xmcpheader-primitive", xmcpheader_primitive},
      {"tools-order-deterministic", order_deterministic},
      {"tools-list-not-connection-dependent", tools_list_not_connection_dependent},
      {"tools-list-independent-of-client-caps", list_independent_of_client_caps},
  };
  return checks;
}

}  // namespace toolwire::conformance
