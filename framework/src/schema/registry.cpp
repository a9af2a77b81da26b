#include "schema/registry.hpp"

#include <charconv>

#include <toolwire/json_members.hpp>

#include "schema/metaschema.hpp"
#include "schema/uri.hpp"

namespace toolwire::schema {
namespace {

const Json* child_of(const Json& value, const std::string& token) {
  if (const auto* object = value.if_object()) return object->if_contains(token);
  const auto* array = value.if_array();
  if (!array || token.empty() || (token.size() > 1 && token[0] == '0')) return nullptr;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{} || end != token.data() + token.size() || index >= array->size()) return nullptr;
  return &(*array)[index];
}

}  // namespace

std::uint32_t Registry::begin_resource(std::string uri, const Json& place, Dialect dialect, const std::string& where) {
  const auto index = static_cast<std::uint32_t>(resources_.size());
  if (!uri.empty() && !by_uri_.emplace(uri, index).second && resources_[by_uri_[uri]].root != &place) {
    throw SchemaError(where, "\"$id\" \"" + uri + "\" is used by two different schemas");
  }
  by_root_.emplace(&place, index);
  resources_.push_back({std::move(uri), &place, dialect, where});
  return index;
}

std::uint32_t Registry::add_document(const Json& document, const std::string& uri, Dialect dialect) {
  const std::string where = uri + "#";
  if (const auto* schema = document.if_object()) {
    if (const auto name = text_member(*schema, "$schema"); !name.empty())
      dialect = dialect_of(name, where, options_.documents);
  }
  const std::uint32_t index = begin_resource(uri, document, dialect, where);
  if (uri.empty()) by_uri_.emplace(uri, index);
  Walk walk{index, 0, where};
  visit(document, walk);
  return index;
}

std::uint32_t Registry::resource_at(const Json& schema, std::uint32_t inherited) const {
  const auto found = by_root_.find(&schema);
  return found == by_root_.end() ? inherited : found->second;
}

void Registry::visit(const Json& schema, Walk& walk) {
  if (++visited_ > options_.max_subschemas) {
    throw SchemaError(walk.where, "more than " + std::to_string(options_.max_subschemas) + " subschemas");
  }
  const auto* members = schema.if_object();
  if (!members) {
    if (!schema.is_bool()) throw SchemaError(walk.where, "expected a schema (an object or a boolean)");
    return;
  }
  if (++walk.depth > options_.max_depth) {
    throw SchemaError(walk.where, "nested deeper than " + std::to_string(options_.max_depth) + " levels");
  }
  const std::uint32_t outer = walk.resource;
  identify(*members, schema, walk);
  visit_members(*members, walk);
  walk.resource = outer;
  --walk.depth;
}

// draft-07: everything beside `$ref` is ignored, `$id` included; an `$id` that is only a fragment is an anchor.
void Registry::identify(const JsonObject& schema, const Json& place, Walk& walk) {
  const bool old = resources_[walk.resource].dialect.is_draft_07();
  if (old && schema.contains("$ref")) return;
  const std::string_view id = text_member(schema, "$id");
  if (!id.empty()) {
    const auto [uri, fragment] = split_fragment(id);
    if (!old && !fragment.empty()) throw SchemaError(walk.where + "/$id", "expected a URI reference without fragment");
    if (!uri.empty()) {
      std::string full = resolve_uri(resources_[walk.resource].uri, uri);
      Dialect dialect = resources_[walk.resource].dialect;
      const std::string_view name = text_member(schema, "$schema");
      if (!name.empty()) dialect = dialect_of(name, walk.where, options_.documents);
      if (resources_[walk.resource].root == &place) {  // a document under the name it was fetched by, and its own
        resources_[walk.resource].uri = full;
        by_uri_.emplace(std::move(full), walk.resource);
      } else {
        walk.resource = begin_resource(std::move(full), place, dialect, walk.where);
      }
    }
    if (old && !fragment.empty() && fragment[0] != '/') {
      resources_[walk.resource].anchors.insert_or_assign(std::string(fragment),
                                                         Resource::Anchor{&place, walk.where, false});
    }
  }
  if (!old) name_anchors(schema, place, walk);
}

void Registry::name_anchors(const JsonObject& schema, const Json& place, const Walk& walk) {
  auto& anchors = resources_[walk.resource].anchors;
  for (const char* keyword : {"$anchor", "$dynamicAnchor"}) {
    const std::string_view name = text_member(schema, keyword);
    if (name.empty()) continue;
    const Resource::Anchor anchor{&place, walk.where, keyword[1] == 'd'};
    const auto [slot, added] = anchors.emplace(std::string(name), anchor);
    if (!added && slot->second.schema != &place) {
      throw SchemaError(walk.where, "the anchor \"" + std::string(name) + "\" is used by two schemas of one resource");
    }
    slot->second.dynamic = slot->second.dynamic || anchor.dynamic;
  }
}

void Registry::visit_members(const JsonObject& schema, Walk& walk) {
  const Dialect dialect = resources_[walk.resource].dialect;
  if (dialect.is_draft_07() && schema.contains("$ref")) return;
  for (const auto& member : schema) {
    const KeywordInfo* info = find_keyword({member.key().data(), member.key().size()});
    if (!info || !dialect.knows(*info)) continue;
    const std::size_t length = walk.where.size();
    append_pointer(walk.where, info->name);
    if (const auto expected = wrong_shape(info->shape, member.value())) {
      throw SchemaError(walk.where, std::string(*expected));
    }
    if (info->shape >= Shape::schema) visit_subschemas(*info, member.value(), walk);
    walk.where.resize(length);
  }
}

void Registry::visit_subschemas(const KeywordInfo& info, const Json& value, Walk& walk) {
  if (info.shape == Shape::schema_map || info.shape == Shape::dependencies) {
    for (const auto& member : value.get_object()) {
      if (member.value().is_array()) continue;  // names, in `dependencies`
      visit_child({member.key().data(), member.key().size()}, member.value(), walk);
    }
  } else if (const auto* list = value.if_array()) {
    if (info.keyword == Keyword::items && !resources_[walk.resource].dialect.is_draft_07()) {
      throw SchemaError(walk.where, "expected a schema; an array of schemas is called \"prefixItems\" in 2020-12");
    }
    for (std::size_t index = 0; index < list->size(); ++index) visit_child(std::to_string(index), (*list)[index], walk);
  } else {
    visit(value, walk);
  }
}

void Registry::visit_child(std::string_view token, const Json& schema, Walk& walk) {
  const std::size_t length = walk.where.size();
  append_pointer(walk.where, token);
  visit(schema, walk);
  walk.where.resize(length);
}

std::optional<std::uint32_t> Registry::find_resource(const std::string& uri, const std::string& where) {
  if (const auto known = by_uri_.find(uri); known != by_uri_.end()) return known->second;
  if (const auto given = options_.documents.find(uri); given != options_.documents.end()) {
    return add_document(given->second, uri, Dialect{options_.default_dialect, standard_vocabularies});
  }
  if (const Json* meta = find_metaschema(uri)) return add_document(*meta, uri, dialect_of_metaschema(uri, where));
  return std::nullopt;
}

Target Registry::resolve(std::uint32_t from, std::string_view reference, const std::string& where) {
  const std::string full = resolve_uri(resources_[from].uri, reference);
  const auto [uri, encoded] = split_fragment(full);
  const auto found = uri == resources_[from].uri ? std::optional(from) : find_resource(std::string(uri), where);
  if (!found) {
    throw SchemaError(where, "\"" + std::string(reference) + "\" leads to \"" + std::string(uri) +
                                 "\", which is not among the documents given; nothing is fetched");
  }
  const auto fragment = percent_decoded(encoded);
  if (!fragment) throw SchemaError(where, "\"" + std::string(reference) + "\" has a broken percent escape");
  const Resource& target = resources_[*found];
  if (fragment->empty()) return {target.root, *found, target.where};
  if ((*fragment)[0] == '/') return follow_pointer(*found, *fragment, where);
  const auto anchor = target.anchors.find(*fragment);
  if (anchor == target.anchors.end()) {
    throw SchemaError(where,
                      "\"" + std::string(reference) + "\": no schema there has the anchor \"" + *fragment + "\"");
  }
  return {anchor->second.schema, *found, anchor->second.where, anchor->second.dynamic ? *fragment : std::string()};
}

Target Registry::follow_pointer(std::uint32_t resource, std::string_view pointer, const std::string& where) {
  Target target{resources_[resource].root, resource, resources_[resource].where};
  for (std::string_view rest = pointer; !rest.empty();) {
    const auto end = std::min(rest.find('/', 1), rest.size());
    const auto token = unescaped_token(rest.substr(1, end - 1));
    const Json* child = token ? child_of(*target.schema, *token) : nullptr;
    if (!child) {
      throw SchemaError(where, "\"#" + std::string(pointer) + "\" leads nowhere: \"" +
                                   std::string(rest.substr(1, end - 1)) + "\" is not in " + target.where);
    }
    target.schema = child;
    target.resource = resource_at(*child, target.resource);
    append_pointer(target.where, *token);
    rest.remove_prefix(end);
  }
  return target;
}

}  // namespace toolwire::schema
