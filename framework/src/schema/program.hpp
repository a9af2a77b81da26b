// What a schema is compiled to: flat tables that the evaluator walks. Plain values, no behaviour. Independent of how it
// is made (compiler) and how it is run (evaluator, explanation).
//
// A node is one subschema. It has one list of instructions for each of the eight kinds a JSON value can have, so that
// running it never asks for a type twice; kinds whose lists are equal share one. Instructions refer to nodes and plans
// by index.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "schema/decimal.hpp"
#include "schema/key_table.hpp"
#include "schema/numbers.hpp"
#include "schema/pattern.hpp"
#include "toolwire/schema.hpp"

namespace toolwire::schema {

enum class Op : std::uint8_t {
  end,           // the list holds
  integral,      // a double without fraction
  number_range,  // a: ranges
  multiple_of,   // a: divisors
  text_length,   // a..b code points
  pattern,       // a: patterns
  format,        // a: Format
  array_size,    // a..b
  object_size,   // a..b
  unique_items,
  member_of,               // a: value_sets
  object,                  // a: object_plans
  property_names,          // a: node
  dependent_required,      // a: dependencies
  dependent_schemas,       // a: dependencies
  prefix_items,            // children a..b
  items,                   // a: node, from index b
  number_items,            // a: ranges, or unbounded; b: node. Every element is a number within the range
  contains,                // a: contains_plans
  apply,                   // a: node, on the same value ($ref, allOf)
  any_of,                  // children a..b
  one_of,                  // children a..b
  tagged,                  // a: tagged_plans
  negate,                  // a: node
  conditional,             // a: conditionals
  dynamic_ref,             // a: dynamic_refs
  enter_scope,             // a: node, b: resource
  unevaluated_properties,  // a: node
  unevaluated_items,       // a: node
};

/// Up to here an instruction looks at the value alone, at no other node.
constexpr Op last_scalar = Op::member_of;

struct Instruction {
  Op op = Op::end;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

constexpr std::uint32_t unbounded = 0xffffffff;
constexpr std::uint32_t any_value = 0;  // the node that accepts everything
constexpr std::uint32_t no_value = 1;   // the node that refuses everything

using Kinds = std::uint8_t;  // one bit for each boost::json::kind
constexpr Kinds every_kind = 0xff;
constexpr Kinds kind_bit(boost::json::kind kind) { return static_cast<Kinds>(1U << static_cast<unsigned>(kind)); }
constexpr Kinds number_kinds =
    kind_bit(boost::json::kind::int64) | kind_bit(boost::json::kind::uint64) | kind_bit(boost::json::kind::double_);
constexpr Kinds text_kinds = kind_bit(boost::json::kind::string);
constexpr Kinds array_kinds = kind_bit(boost::json::kind::array);
constexpr Kinds object_kinds = kind_bit(boost::json::kind::object);

struct Node {
  std::array<std::uint32_t, 8> start = {};  // first instruction for each kind; 0 is an empty list
  Kinds kinds = every_kind;                 // others are refused at once (`type`)
  Kinds keeps_marks = 0;                    // kinds for which unevaluated… must know what the list has evaluated
  bool integers_only = false;               // `type` names integer, not number
  std::uint32_t location = 0;               // Program::locations
};

/// Bounds as written, for the message, beside the interval that is run.
struct RangePlan {
  NumberRange range;
  Json minimum, maximum;                              // null where absent
  bool above_minimum = false, below_maximum = false;  // exclusive
};

struct PatternPlan {
  Pattern pattern;
  std::string source;
};

/// `enum`, or `const` with its one value.
struct ValueSet {
  KeyTable texts;
  std::vector<Json> numbers;  // ascending
  std::vector<Json> others;   // arrays and objects
  Kinds plain = 0;            // null and the booleans: bits 0 (null), 1 (false), 2 (true)
  std::vector<Json> listed;   // as written, for the message
  bool is_const = false;
};

struct PropertySlot {
  std::uint32_t node = any_value;
  bool required = false;
  bool declared = false;  // in `properties`, not only in `required`
};

struct PatternSlot {
  std::uint32_t pattern = 0;
  std::uint32_t node = any_value;
};

/// properties, patternProperties, additionalProperties and required in one pass over the members.
struct ObjectPlan {
  KeyTable names;
  std::vector<PropertySlot> slots;  // by number of the name
  std::vector<PatternSlot> patterns;
  std::uint32_t additional = any_value;
  std::uint32_t required = 0;
  bool has_additional = false;             // the keyword is there: what it accepts is evaluated
  bool open = false;                       // nothing but declared names matters
  bool additional_is_unevaluated = false;  // the keyword that stands there is unevaluatedProperties
};

struct Dependencies {
  KeyTable names;
  std::vector<std::vector<std::string>> required;  // by number of the name: dependent_required
  std::vector<std::uint32_t> nodes;                // dependent_schemas
};

struct ContainsPlan {
  std::uint32_t node = any_value;
  std::uint32_t least = 1;
  std::uint32_t most = unbounded;
  bool marks = true;  // draft-07 independent of evaluated items
};

/// anyOf or oneOf whose branches are told apart by one required member with distinct strings.
struct TaggedPlan {
  std::string tag;
  KeyTable values;
  std::vector<std::uint32_t> nodes;   // by number of the value
  std::uint32_t first = 0, last = 0;  // the branches in `children`, for the message
  bool exactly_one = false;
};

struct Conditional {
  std::uint32_t condition = any_value, then = any_value, otherwise = any_value;
};

struct DynamicRef {
  std::uint32_t fallback = any_value;  // the target where no scope names the anchor
  std::uint32_t candidates = 0;        // dynamic_candidates
};

struct DynamicCandidate {
  std::uint32_t resource = 0, node = any_value;
};

struct Program {
  std::vector<Node> nodes;
  std::vector<Instruction> code;
  std::vector<std::uint32_t> children;
  std::vector<RangePlan> ranges;
  std::vector<Divisor> divisors;
  std::vector<Json> divisors_written;
  std::vector<PatternPlan> patterns;
  std::vector<ValueSet> value_sets;
  std::vector<ObjectPlan> object_plans;
  std::vector<Dependencies> dependencies;
  std::vector<ContainsPlan> contains_plans;
  std::vector<TaggedPlan> tagged_plans;
  std::vector<Conditional> conditionals;
  std::vector<DynamicRef> dynamic_refs;
  std::vector<std::vector<DynamicCandidate>> dynamic_candidates;  // by name of the anchor; ascending by resource
  std::vector<std::string> locations;
  std::vector<SchemaNote> notes;
  std::uint32_t root = any_value;
  std::uint32_t root_resource = 0;
  std::uint64_t step_budget = 0;
  SchemaDialect dialect = SchemaDialect::draft_2020_12;
};

}  // namespace toolwire::schema
