// From a JSON schema to a Program. Subschemas wait in a queue instead of being compiled recursively, so that neither
// deep schemas nor long chains of references use up the stack. Independent of how a program is run.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/dialect.hpp"
#include "schema/program.hpp"
#include "schema/registry.hpp"

namespace toolwire::schema {

/// Compiles one schema, then is thrown away. One thread. The documents must outlive it.
class Compiler {
 public:
  Compiler(const Json& schema, const SchemaOptions& options);

  /// Throws SchemaError.
  Program run();

 private:
  struct Waiting {
    const Json* schema;
    std::uint32_t resource;
    std::uint32_t node;
  };
  struct Step {
    Kinds kinds;
    Instruction instruction;
  };
  /// The subschema being compiled: its keywords, and the instructions gathered so far.
  struct Current {
    const Json* schema = nullptr;
    std::uint32_t resource = 0;
    std::uint32_t node = 0;
    bool asserts_formats = false;
    bool unevaluated_is_additional = false;
    std::array<const Json*, keyword_count> keywords = {};
    std::vector<Step> steps;
  };
  /// A $dynamicAnchor that some $dynamicRef asks for, and how many of its schemas are candidates already.
  struct DynamicName {
    std::string anchor;
    std::size_t done = 0;
  };
  struct DynamicSchema {
    std::uint32_t resource;
    const Json* schema;
    std::string where;
  };

  const Json* keyword(Keyword name) const { return current_.keywords[static_cast<std::size_t>(name)]; }
  bool has_any(std::initializer_list<Keyword> names) const;
  std::string where(Keyword name) const;
  std::string where(Keyword name, std::string_view member) const;
  void add(Kinds kinds, Op op, std::uint32_t a = 0, std::uint32_t b = 0) {
    current_.steps.push_back({kinds, {op, a, b}});
  }
  [[noreturn]] void fail(Keyword name, const std::string& message) const;

  std::uint32_t child(const Json& schema, std::string location);
  std::uint32_t child(Keyword name) { return child(*keyword(name), where(name)); }
  std::uint32_t node_for(const Json& schema, std::uint32_t resource, std::string location);
  std::uint32_t entering(std::uint32_t node, std::uint32_t resource);
  std::uint32_t children_of(const JsonArray& schemas, Keyword name);
  std::uint32_t bound(Keyword name, std::uint32_t otherwise) const;

  void compile(const Waiting& waiting);
  void gather(const JsonObject& schema);
  void finish();
  std::uint32_t list_for(unsigned kind, std::vector<std::uint32_t>& started) const;
  void write_lists(Node& node);

  void compile_type();
  void compile_values();
  void compile_numbers();
  void compile_texts();
  std::uint32_t pattern(const Json& source, const std::string& location);
  void compile_sizes();
  void compile_object();
  void compile_properties(ObjectPlan& plan);
  void compile_required(ObjectPlan& plan);
  void compile_additional(ObjectPlan& plan);
  void compile_dependencies();
  void compile_dependency_members(Keyword name);
  void compile_array();
  void compile_contains();
  void compile_logic();
  void compile_conditional();
  void compile_references();
  void compile_dynamic_reference();
  void compile_unevaluated();
  std::uint32_t dynamic_name(const std::string& anchor);
  void index_dynamic_anchors();
  void find_dynamic_candidates();

  const SchemaOptions& options_;
  Registry registry_;
  Program program_;
  Current current_;
  std::deque<Waiting> queue_;
  std::unordered_map<const Json*, std::uint32_t> nodes_by_schema_;
  std::unordered_map<std::string, std::uint32_t> patterns_by_source_;
  std::vector<DynamicName> dynamic_names_;  // parallel to Program::dynamic_candidates
  std::unordered_map<std::string, std::uint32_t> dynamic_names_by_anchor_;
  std::unordered_map<std::string, std::vector<DynamicSchema>> dynamic_schemas_;
  std::uint32_t resources_indexed_ = 0;
};

/// After compiling: bypasses nodes that only refer to another, and gives common shapes quicker instructions.
void shorten_paths(Program& program);
void choose_quicker_instructions(Program& program);

/// Throws SchemaError where following references would never come to an end.
void refuse_endless_references(const Program& program);

}  // namespace toolwire::schema
