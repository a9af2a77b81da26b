// The entries of the lists of resources and templates.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "checks/resources.hpp"
#include "probe/lists.hpp"

namespace toolwire::conformance {
namespace {

void need_resources(const Probe& probe) {
  probe.need_capability("resources");
  if (probe.offer().resources.empty()) probe.skip("the server lists no resource");
}

/// scheme ":" and only characters a URI may have (RFC 3986 §3.1, appendix A); templates have braces, too.
bool is_uri(std::string_view text, bool is_template = false) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || std::isalpha(static_cast<unsigned char>(text[0])) == 0)
    return false;
  const auto scheme = text.substr(0, colon);
  const bool scheme_ok = std::all_of(scheme.begin(), scheme.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '+' || c == '-' || c == '.';
  });
  const std::string_view others = is_template ? "-._~:/?#[]@!$&'()*+,;=%{}|" : "-._~:/?#[]@!$&'()*+,;=%";
  return scheme_ok && std::all_of(text.begin(), text.end(), [&](unsigned char c) {
           return std::isalnum(c) != 0 || others.find(static_cast<char>(c)) != std::string_view::npos;
         });
}

bool has_whole_expressions(std::string_view text) {
  int depth = 0;
  for (char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (depth < 0 || depth > 1) return false;
  }
  return depth == 0;
}

void resources_capability_declared(Probe& probe) {
  const Answer answer = probe.session().request("resources/list");
  const JsonArray* resources = get(answer.result, "resources").if_array();
  if (!answer.ok() || resources == nullptr || resources->empty()) probe.skip("the server lists no resource");
  probe.expect(probe.offer().has("resources"), "\"resources\" among the capabilities",
               shown(Json(probe.offer().capabilities)));
}

void resources_list_works(Probe& probe) {
  probe.need_capability("resources");
  const Answer answer = probe.session().request("resources/list");
  probe.expect_result(answer, "resources/list");
  probe.expect(get(answer.result, "resources").is_array(), "an array \"resources\"", shown(answer.result));
}

void resources_entry_shape(Probe& probe) {
  need_resources(probe);
  for (const Json& resource : probe.offer().resources) {
    probe.expect(is_uri(text_of(get(resource, "uri"))), "an absolute URI \"uri\"", shown(resource));
    probe.expect(get(resource, "name").is_string(), "a string \"name\"", shown(resource));
    const Json& size = get(resource, "size");
    probe.expect(size.is_null() || size.is_uint64() || (size.is_int64() && size.get_int64() >= 0),
                 "a size of whole bytes, or none", shown(resource));
    for (std::string_view member : {"title", "description", "mimeType"}) {
      const Json* value = resource.as_object().if_contains(member);
      probe.expect(value == nullptr || value->is_string(), "a string \"" + std::string(member) + "\", or none",
                   shown(resource));
    }
  }
  for (const Json& resource : probe.offer().resources) {
    const Json& type = get(resource, "mimeType");
    if (type.is_string() && !is_mime_type(text_of(type))) probe.warn("a MIME type, as text/plain", shown(resource));
  }
}

void uri_unique(Probe& probe) {
  need_resources(probe);
  std::set<std::string_view> seen;
  for (const Json& resource : probe.offer().resources)
    probe.expect(seen.insert(text_of(get(resource, "uri"))).second, "each URI once", shown(resource));
}

void resources_templates_list(Probe& probe) {
  probe.need_capability("resources");
  const Answer answer = probe.session().request("resources/templates/list");
  if (answer.code() == -32601) probe.warn("an array \"resourceTemplates\", which may be empty", answer.text());
  probe.expect_result(answer, "resources/templates/list");
  const JsonArray* templates = get(answer.result, "resourceTemplates").if_array();
  probe.expect(templates != nullptr, "an array \"resourceTemplates\"", shown(answer.result));
  for (const Json& it : *templates) {
    const std::string_view uri_template = text_of(get(it, "uriTemplate"));
    probe.expect(is_uri(uri_template, true) && has_whole_expressions(uri_template), "a URI template (RFC 6570)",
                 shown(it));
    probe.expect(get(it, "name").is_string(), "a string \"name\"", shown(it));
  }
}

std::vector<std::string> uris_in(Session& session) {
  const Answer answer = session.request("resources/list");
  std::vector<std::string> uris;
  if (const JsonArray* resources = get(answer.result, "resources").if_array()) {
    for (const Json& resource : *resources) uris.emplace_back(text_of(get(resource, "uri")));
  }
  std::sort(uris.begin(), uris.end());
  return uris;
}

void resources_list_not_connection_dependent(Probe& probe) {
  need_resources(probe);
  Session& session = probe.opened();
  const auto before = uris_in(session);
  use_otherwise(probe, session);
  probe.expect(uris_in(session) == before && uris_in(probe.opened()) == before,
               "the same resources on every connection", "others");
}

void custom_scheme(Probe& probe) {
  need_resources(probe);
  for (const Json& resource : probe.offer().resources)
    probe.expect(is_uri(text_of(get(resource, "uri"))), "a URI as in RFC 3986", shown(resource));
}

void annotations(Probe& probe) {
  need_resources(probe);
  for (const Json& resource : probe.offer().resources) {
    const Json& stated = get(resource, "annotations");
    if (stated.is_null()) continue;
    if (const JsonArray* audience = get(stated, "audience").if_array()) {
      for (const Json& role : *audience)
        probe.expect(text_of(role) == "user" || text_of(role) == "assistant", "an audience of user or assistant",
                     shown(stated));
    }
    const Json& priority = get(stated, "priority");
    const double value = priority.is_number() ? priority.to_number<double>() : 0;
    probe.expect((priority.is_null() || priority.is_number()) && value >= 0 && value <= 1, "a priority from 0 to 1",
                 shown(stated));
    const Json& modified = get(stated, "lastModified");
    probe.expect(modified.is_null() || is_date_time(text_of(modified)), "lastModified in ISO 8601", shown(stated));
  }
}

}  // namespace

std::span<const Check> resources_list_checks() {
  static constexpr Check checks[] = {
      {"resources-capability-declared", resources_capability_declared},
      {"resources-list-works", resources_list_works},
      {"resources-entry-shape", resources_entry_shape},
      {"resources-uri-unique", uri_unique},
      {"resources-templates-list", resources_templates_list},
      {"resources-list-not-connection-dependent", resources_list_not_connection_dependent},
      {"resources-custom-scheme", custom_scheme},
      {"resources-annotations", annotations},
      {"resources-annotations-early", annotations},
  };
  return checks;
}

}  // namespace toolwire::conformance
