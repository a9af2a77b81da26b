#include "toolwire/schema.hpp"

#include "schema/compiler.hpp"
#include "schema/evaluator.hpp"
#include "schema/explanation.hpp"

namespace toolwire {

Schema Schema::compile(const Json& schema, const SchemaOptions& options) {
  return Schema(std::make_shared<const schema::Program>(schema::Compiler(schema, options).run()));
}

bool Schema::is_valid(const Json& value) const {
  schema::Evaluator evaluator(*program_);
  return evaluator.holds(program_->root, value) && !evaluator.exhausted();
}

std::vector<SchemaViolation> Schema::validate(const Json& value) const {
  if (is_valid(value)) return {};
  return schema::Explanation(*program_).run(program_->root, value);
}

SchemaDialect Schema::dialect() const { return program_->dialect; }

const std::vector<SchemaNote>& Schema::notes() const { return program_->notes; }

}  // namespace toolwire
