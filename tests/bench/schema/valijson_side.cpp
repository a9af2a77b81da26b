#include "valijson_side.hpp"

#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

struct ValijsonSchema::Parts {
  valijson::Schema schema;
  mutable valijson::Validator validator;
};

ValijsonSchema::ValijsonSchema(const toolwire::Json& schema) : parts_(std::make_unique<Parts>()) {
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(valijson::adapters::BoostJsonAdapter(schema), parts_->schema);
}

ValijsonSchema::~ValijsonSchema() = default;

bool ValijsonSchema::is_valid(const toolwire::Json& value) const {
  return parts_->validator.validate(parts_->schema, valijson::adapters::BoostJsonAdapter(value), nullptr);
}
