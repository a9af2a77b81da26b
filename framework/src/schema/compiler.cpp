#include "schema/compiler.hpp"

#include <algorithm>

#include "schema/uri.hpp"

namespace toolwire::schema {
namespace {

Dialect default_dialect(const SchemaOptions& options) { return {options.default_dialect, standard_vocabularies}; }

}  // namespace

Compiler::Compiler(const Json& schema, const SchemaOptions& options) : options_(options), registry_(options) {
  program_.nodes.emplace_back();  // any_value
  program_.locations.emplace_back("#");
  program_.code.push_back({Op::end});
  program_.root_resource = registry_.add_document(schema, "", default_dialect(options));
  program_.step_budget = options.step_budget;
  program_.dialect = registry_.resource(program_.root_resource).dialect.draft;
  program_.root = node_for(schema, program_.root_resource, "#");
}

Program Compiler::run() {
  do {
    while (!queue_.empty()) {
      const Waiting next = queue_.front();
      queue_.pop_front();
      compile(next);
    }
    find_dynamic_candidates();
  } while (!queue_.empty());
  shorten_paths(program_);
  refuse_endless_references(program_);
  choose_quicker_instructions(program_);
  return std::move(program_);
}

std::uint32_t Compiler::node_for(const Json& schema, std::uint32_t resource, std::string location) {
  if (schema.is_bool() && schema.get_bool()) return any_value;
  if (!schema.is_object() && !schema.is_bool())
    throw SchemaError(location, "expected a schema (an object or a boolean)");
  const auto index = static_cast<std::uint32_t>(program_.nodes.size());
  const auto [known, added] = nodes_by_schema_.emplace(&schema, index);
  if (!added) return known->second;
  if (index > options_.max_subschemas) {
    throw SchemaError(location, "more than " + std::to_string(options_.max_subschemas) + " subschemas");
  }
  Node& node = program_.nodes.emplace_back();
  node.location = static_cast<std::uint32_t>(program_.locations.size());
  if (schema.is_bool()) node.kinds = 0;
  program_.locations.push_back(std::move(location));
  if (schema.is_object()) queue_.push_back({&schema, resource, index});
  return index;
}

// A resource of its own begins a dynamic scope; a node in between notes that.
std::uint32_t Compiler::entering(std::uint32_t node, std::uint32_t resource) {
  Node& scope = program_.nodes.emplace_back();
  scope.location = program_.nodes[node].location;
  scope.start.fill(static_cast<std::uint32_t>(program_.code.size()));
  program_.code.push_back({Op::enter_scope, node, resource});
  program_.code.push_back({Op::end});
  return static_cast<std::uint32_t>(program_.nodes.size() - 1);
}

std::uint32_t Compiler::child(const Json& schema, std::string location) {
  const std::uint32_t resource = registry_.resource_at(schema, current_.resource);
  const std::uint32_t node = node_for(schema, resource, std::move(location));
  return resource == current_.resource ? node : entering(node, resource);
}

std::uint32_t Compiler::children_of(const JsonArray& schemas, Keyword name) {
  std::vector<std::uint32_t> nodes;
  nodes.reserve(schemas.size());
  for (std::size_t index = 0; index < schemas.size(); ++index) {
    nodes.push_back(child(schemas[index], where(name, std::to_string(index))));
  }
  const auto first = static_cast<std::uint32_t>(program_.children.size());
  program_.children.insert(program_.children.end(), nodes.begin(), nodes.end());
  return first;
}

bool Compiler::has_any(std::initializer_list<Keyword> names) const {
  return std::any_of(names.begin(), names.end(), [this](Keyword name) { return keyword(name) != nullptr; });
}

std::string Compiler::where(Keyword name) const {
  std::string location = program_.locations[program_.nodes[current_.node].location];
  append_pointer(location, keyword_name(name));
  return location;
}

std::string Compiler::where(Keyword name, std::string_view member) const {
  std::string location = where(name);
  append_pointer(location, member);
  return location;
}

void Compiler::fail(Keyword name, const std::string& message) const { throw SchemaError(where(name), message); }

void Compiler::compile(const Waiting& waiting) {
  current_.schema = waiting.schema;
  current_.resource = waiting.resource;
  current_.node = waiting.node;
  current_.unevaluated_is_additional = false;
  current_.keywords.fill(nullptr);
  current_.steps.clear();
  gather(waiting.schema->get_object());
  compile_type();
  compile_values();
  compile_numbers();
  compile_texts();
  compile_sizes();
  compile_object();
  compile_dependencies();
  compile_array();
  compile_references();
  compile_logic();
  compile_unevaluated();
  finish();
}

// The shapes were checked when the document was added; schemas that only a pointer through an unknown keyword reaches
// were not.
void Compiler::gather(const JsonObject& schema) {
  const Dialect dialect = registry_.resource(current_.resource).dialect;
  const bool old = dialect.is_draft_07();
  current_.asserts_formats = options_.assert_formats || (dialect.vocabularies & format_assertion) != 0;
  for (const auto& member : schema) {
    const KeywordInfo* info = find_keyword({member.key().data(), member.key().size()});
    if (!info || !dialect.knows(*info)) continue;
    current_.keywords[static_cast<std::size_t>(info->keyword)] = &member.value();
    const bool list_of_items = !old && info->keyword == Keyword::items && member.value().is_array();
    if (const auto expected = wrong_shape(info->shape, member.value())) fail(info->keyword, std::string(*expected));
    if (list_of_items) fail(info->keyword, "expected a schema");
  }
  if (old && keyword(Keyword::ref)) {
    const Json* reference = keyword(Keyword::ref);
    current_.keywords.fill(nullptr);
    current_.keywords[static_cast<std::size_t>(Keyword::ref)] = reference;
  }
}

// The list for one kind, or that of an earlier kind with the same steps.
std::uint32_t Compiler::list_for(unsigned kind, std::vector<std::uint32_t>& started) const {
  const auto same = [&](unsigned other) {
    return std::all_of(current_.steps.begin(), current_.steps.end(),
                       [&](const Step& step) { return (step.kinds >> kind & 1) == (step.kinds >> other & 1); });
  };
  for (unsigned other = 0; other < kind; ++other) {
    if (started[other] != unbounded && same(other)) return started[other];
  }
  return unbounded;
}

void Compiler::write_lists(Node& node) {
  std::vector<std::uint32_t> started(8, unbounded);
  for (unsigned kind = 0; kind < 8; ++kind) {
    if (!(node.kinds >> kind & 1)) continue;
    started[kind] = list_for(kind, started);
    if (started[kind] == unbounded) {
      started[kind] = 0;
      for (const Step& step : current_.steps) {
        if (!(step.kinds >> kind & 1)) continue;
        if (started[kind] == 0) started[kind] = static_cast<std::uint32_t>(program_.code.size());
        program_.code.push_back(step.instruction);
      }
      if (started[kind] != 0) program_.code.push_back({Op::end});
    }
    node.start[kind] = started[kind];
  }
}

void Compiler::finish() { write_lists(program_.nodes[current_.node]); }

}  // namespace toolwire::schema
