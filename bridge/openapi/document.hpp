// An OpenAPI description (3.0 and 3.1) and the references inside it. Reads no files.
#pragma once

#include <string>
#include <string_view>

#include <toolwire/json.hpp>

namespace toolwire::bridge::openapi {

/// The JSON pointer of a local reference: "#/a~1b/c%20d" → "/a~1b/c d"; empty for any other reference, and for "#".
std::string pointer_of(std::string_view reference);

/// Refers to the description, which must outlive it.
class Document {
 public:
  explicit Document(const JsonObject& whole) : whole_(whole) {}

  const JsonObject& whole() const { return whole_; }
  /// Null if there is nothing.
  const Json* at(const std::string& pointer) const;
  /// What a value with "$ref" stands for, however many references lead there; another value itself. Null if a
  /// reference leads nowhere, out of this document, or in a circle.
  const Json* resolved(const Json& value) const;
  /// The same for what has to be an object.
  const JsonObject* object(const Json& value) const;

 private:
  const JsonObject& whole_;
};

}  // namespace toolwire::bridge::openapi
