// A JSON value with placeholders for values, which keep their types.
#pragma once

#include <string>
#include <vector>

#include <toolwire/json.hpp>

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// Immutable. Texts in the value are templates: `"{name}"` alone becomes the parameter with its type, `"…{name}…"` a
/// text. A member or element whose optional value (`"{name?}"`) is absent is left out.
class BodyTemplate {
 public:
  /// Problems go to `findings`.
  BodyTemplate(Json body, const std::string& pointer, Findings& findings);

  /// Throws InvalidArguments for a value that is missing.
  Json expand(const Json& parameters) const;
  void add_names_to(std::vector<std::string>& names) const;

 private:
  Json body_;
};

}  // namespace toolwire::bridge
