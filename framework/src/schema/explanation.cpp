#include "schema/explanation.hpp"

#include <algorithm>

#include "schema/formats.hpp"
#include "schema/phrases.hpp"
#include "schema/text_length.hpp"
#include "schema/uri.hpp"
#include "toolwire/text.hpp"

namespace toolwire::schema {
namespace {

// Names that need no quotes in "a.b[0]".
bool is_plain(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
           c == '$' || byte >= 0x80;
  });
}

std::string_view text_of(const Json& value) { return {value.get_string().data(), value.get_string().size()}; }

}  // namespace

Explanation::Step::Step(Explanation& walk, std::string_view name)
    : walk_(walk), pointer_size_(walk.pointer_.size()), display_size_(walk.display_.size()) {
  append_pointer(walk.pointer_, name);
  if (is_plain(name)) {
    if (!walk.display_.empty()) walk.display_ += '.';
    walk.display_ += text::visible(name);
  } else {
    walk.display_ += "[" + quoted(name) + "]";
  }
}

Explanation::Step::Step(Explanation& walk, std::size_t index)
    : walk_(walk), pointer_size_(walk.pointer_.size()), display_size_(walk.display_.size()) {
  const std::string number = std::to_string(index);
  append_pointer(walk.pointer_, number);
  walk.display_ += "[" + number + "]";
}

Explanation::Step::~Step() {
  walk_.pointer_.resize(pointer_size_);
  walk_.display_.resize(display_size_);
}

std::vector<SchemaViolation> Explanation::run(std::uint32_t index, const Json& value) {
  node(index, value, index, "");
  if (found_.size() >= max_violations) {
    found_.back().message = "there are more violations than are listed";
  } else if (found_.empty() || evaluator_.exhausted()) {
    const std::string& where = program_.locations[program_.nodes[index].location];
    found_.push_back({"", "", where, "",
                      "checking this value takes more steps or deeper nesting than is allowed, so it is refused"});
  }
  return std::move(found_);
}

bool Explanation::refuses_all(std::uint32_t index) const { return program_.nodes[index].kinds == 0; }

void Explanation::report(std::uint32_t at, std::string_view keyword, std::string message) {
  if (stopped()) return;
  std::string where = program_.locations[program_.nodes[at].location];
  if (!keyword.empty()) append_pointer(where, keyword);
  found_.push_back({pointer_, display_, std::move(where), std::string(keyword), std::move(message)});
}

// JSON Schema points at the object that lacks the member; what people read names the member.
void Explanation::missing(std::uint32_t at, std::string_view keyword, std::string_view name, std::string message) {
  const std::size_t before = found_.size();
  std::string object = pointer_;
  const Step step(*this, name);
  report(at, keyword, std::move(message));
  if (found_.size() > before) found_.back().instance_path = std::move(object);
}

void Explanation::node(std::uint32_t index, const Json& value, std::uint32_t parent, std::string_view keyword) {
  const Node& entry = program_.nodes[index];
  const auto kind_index = static_cast<unsigned>(value.kind());
  if (stopped() || depth_ >= Evaluator::greatest_depth) return;
  if (entry.kinds == 0)
    return keyword.empty() ? report(index, "", "no value is allowed here")
                           : report(parent, keyword, "is not allowed here");
  if ((entry.kinds >> kind_index & 1) == 0)
    return report(index, "type", "expected " + type_phrase(entry.kinds, entry.integers_only));
  const bool keeps = (entry.keeps_marks >> kind_index & 1) != 0;
  Marks marks(!keeps ? 0 : value.is_object() ? value.get_object().size() : value.get_array().size());
  ++depth_;
  for (const Instruction* at = &program_.code[entry.start[kind_index]]; at->op != Op::end && !stopped(); ++at) {
    if (!evaluator_.holds(*at, value, keeps ? &marks : nullptr) && !stopped())
      failed(index, *at, value, keeps ? &marks : nullptr);
  }
  --depth_;
}

void Explanation::failed(std::uint32_t at, const Instruction& instruction, const Json& value, Marks* marks) {
  switch (instruction.op) {
    case Op::object:
    case Op::object_size:
    case Op::property_names:
    case Op::dependent_required:
    case Op::dependent_schemas:
    case Op::unevaluated_properties:
      return failed_object(at, instruction, value, marks);
    case Op::array_size:
    case Op::unique_items:
    case Op::prefix_items:
    case Op::items:
    case Op::number_items:
    case Op::contains:
    case Op::unevaluated_items:
      return failed_array(at, instruction, value.get_array(), marks);
    case Op::apply:
    case Op::any_of:
    case Op::one_of:
    case Op::tagged:
    case Op::negate:
    case Op::conditional:
    case Op::dynamic_ref:
    case Op::enter_scope:
      return failed_logic(at, instruction, value);
    default:
      return failed_scalar(at, instruction, value);
  }
}

void Explanation::failed_scalar(std::uint32_t at, const Instruction& instruction, const Json& value) {
  switch (instruction.op) {
    case Op::integral:
      return report(at, "type", "expected " + type_phrase(program_.nodes[at].kinds, true));
    case Op::number_range: {
      const RangePlan& plan = program_.ranges[instruction.a];
      return report(at, range_keyword(plan, value), range_phrase(plan, value));
    }
    case Op::multiple_of:
      return report(at, "multipleOf",
                    shown(value) + " is not a multiple of " + shown(program_.divisors_written[instruction.a]));
    case Op::text_length: {
      const std::size_t length = text::count_code_points(text_of(value));
      return report(at, length < instruction.a ? "minLength" : "maxLength",
                    size_phrase(length, "character", instruction.a, instruction.b));
    }
    case Op::pattern:
      return report(at, "pattern",
                    shown(value) + " does not match the pattern " + program_.patterns[instruction.a].source);
    case Op::format:
      return report(at, "format",
                    shown(value) + " is not a valid " + std::string(format_name(static_cast<Format>(instruction.a))));
    case Op::member_of: {
      const ValueSet& set = program_.value_sets[instruction.a];
      return report(at, set.is_const ? "const" : "enum", value_set_phrase(set));
    }
    default:
      return;
  }
}

}  // namespace toolwire::schema
