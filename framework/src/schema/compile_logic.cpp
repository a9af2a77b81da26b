// References, and the keywords that combine subschemas.
#include <utility>

#include "schema/compiler.hpp"

namespace toolwire::schema {
namespace {

std::string_view view(const Json& text) { return {text.get_string().data(), text.get_string().size()}; }

}  // namespace

void Compiler::compile_references() {
  if (const Json* reference = keyword(Keyword::ref)) {
    Target target = registry_.resolve(current_.resource, view(*reference), where(Keyword::ref));
    const std::uint32_t node = node_for(*target.schema, target.resource, std::move(target.where));
    add(every_kind, Op::apply, target.resource == current_.resource ? node : entering(node, target.resource));
  }
  if (keyword(Keyword::dynamic_ref)) compile_dynamic_reference();
}

// 2020-12 core 8.2.3.2: only where the reference leads to a $dynamicAnchor does the dynamic scope decide.
void Compiler::compile_dynamic_reference() {
  Target target =
      registry_.resolve(current_.resource, view(*keyword(Keyword::dynamic_ref)), where(Keyword::dynamic_ref));
  const std::uint32_t node = node_for(*target.schema, target.resource, std::move(target.where));
  const std::uint32_t fallback = target.resource == current_.resource ? node : entering(node, target.resource);
  if (target.dynamic_anchor.empty()) return add(every_kind, Op::apply, fallback);
  add(every_kind, Op::dynamic_ref, static_cast<std::uint32_t>(program_.dynamic_refs.size()));
  program_.dynamic_refs.push_back({fallback, dynamic_name(target.dynamic_anchor)});
}

std::uint32_t Compiler::dynamic_name(const std::string& anchor) {
  const auto index = static_cast<std::uint32_t>(dynamic_names_.size());
  const auto [known, added] = dynamic_names_by_anchor_.emplace(anchor, index);
  if (added) {
    dynamic_names_.push_back({anchor});
    program_.dynamic_candidates.emplace_back();
  }
  return known->second;
}

void Compiler::index_dynamic_anchors() {
  for (; resources_indexed_ < registry_.size(); ++resources_indexed_) {
    for (const auto& [name, anchor] : registry_.resource(resources_indexed_).anchors) {
      if (anchor.dynamic) dynamic_schemas_[name].push_back({resources_indexed_, anchor.schema, anchor.where});
    }
  }
}

// Resources come to light while references are followed, so the candidates are gathered when the queue is empty,
// repeatedly.
void Compiler::find_dynamic_candidates() {
  if (dynamic_names_.empty()) return;
  index_dynamic_anchors();
  for (std::size_t index = 0; index < dynamic_names_.size(); ++index) {
    const auto& schemas = dynamic_schemas_[dynamic_names_[index].anchor];
    for (std::size_t& done = dynamic_names_[index].done; done < schemas.size(); ++done) {
      const auto& [resource, schema, where] = schemas[done];
      const std::uint32_t node = node_for(*schema, resource, where);
      program_.dynamic_candidates[index].push_back({resource, entering(node, resource)});
    }
  }
}

void Compiler::compile_logic() {
  if (keyword(Keyword::not_)) add(every_kind, Op::negate, child(Keyword::not_));
  if (const Json* all = keyword(Keyword::all_of)) {
    const std::uint32_t first = children_of(all->get_array(), Keyword::all_of);
    for (std::uint32_t at = first; at < first + all->get_array().size(); ++at)
      add(every_kind, Op::apply, program_.children[at]);
  }
  for (const auto& [name, op] : {std::pair{Keyword::any_of, Op::any_of}, std::pair{Keyword::one_of, Op::one_of}}) {
    const Json* branches = keyword(name);
    if (!branches) continue;
    const std::uint32_t first = children_of(branches->get_array(), name);
    add(every_kind, op, first, first + static_cast<std::uint32_t>(branches->get_array().size()));
  }
  if (keyword(Keyword::if_)) compile_conditional();
}

void Compiler::compile_conditional() {
  Conditional plan;
  plan.condition = child(Keyword::if_);
  if (keyword(Keyword::then)) plan.then = child(Keyword::then);
  if (keyword(Keyword::else_)) plan.otherwise = child(Keyword::else_);
  add(every_kind, Op::conditional, static_cast<std::uint32_t>(program_.conditionals.size()));
  program_.conditionals.push_back(plan);
}

}  // namespace toolwire::schema
