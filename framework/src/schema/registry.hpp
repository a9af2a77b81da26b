// The schema resources that can be referred to: their base URIs, dialects, anchors, and where a reference leads.
// Independent of what keywords mean beyond which of them hold subschemas. Holds pointers into documents that must
// outlive it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/dialect.hpp"

namespace toolwire::schema {

/// One document or embedded schema with a URI of its own.
struct Resource {
  struct Anchor {
    const Json* schema;
    std::string where;
    bool dynamic;
  };
  std::string uri;
  const Json* root;
  Dialect dialect;
  std::string where;  // "#/$defs/item", or with the document's URI before '#'
  std::map<std::string, Anchor, std::less<>> anchors = {};
};

/// Where a reference leads.
struct Target {
  const Json* schema;
  std::uint32_t resource;
  std::string where;
  std::string dynamic_anchor = {};  // its name, where the reference went through one
};

/// Filled while one schema is compiled, then thrown away. One thread.
class Registry {
 public:
  explicit Registry(const SchemaOptions& options) : options_(options) {}

  /// Adds a document and every resource and anchor inside it. Throws SchemaError where a keyword has the wrong shape.
  std::uint32_t add_document(const Json& document, const std::string& uri, Dialect dialect);

  const Resource& resource(std::uint32_t index) const { return resources_[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(resources_.size()); }

  /// The resource that begins at this schema, or `inherited`.
  std::uint32_t resource_at(const Json& schema, std::uint32_t inherited) const;

  /// Throws SchemaError at `where` if nothing known has that name.
  Target resolve(std::uint32_t from, std::string_view reference, const std::string& where);

 private:
  struct Walk {
    std::uint32_t resource;
    std::size_t depth;
    std::string where;
  };

  void visit(const Json& schema, Walk& walk);
  void visit_members(const JsonObject& schema, Walk& walk);
  void visit_subschemas(const KeywordInfo& info, const Json& value, Walk& walk);
  void visit_child(std::string_view token, const Json& schema, Walk& walk);
  void identify(const JsonObject& schema, const Json& place, Walk& walk);
  void name_anchors(const JsonObject& schema, const Json& place, const Walk& walk);
  std::uint32_t begin_resource(std::string uri, const Json& place, Dialect dialect, const std::string& where);
  std::optional<std::uint32_t> find_resource(const std::string& uri, const std::string& where);
  Target follow_pointer(std::uint32_t resource, std::string_view pointer, const std::string& where);

  const SchemaOptions& options_;
  std::vector<Resource> resources_;
  std::unordered_map<std::string, std::uint32_t> by_uri_;
  std::unordered_map<const Json*, std::uint32_t> by_root_;
  std::size_t visited_ = 0;
};

}  // namespace toolwire::schema
