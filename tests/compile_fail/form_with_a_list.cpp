#include "toolwire/convert.hpp"

struct Form {
  std::vector<std::string> names;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Form::names>("Names")); }
};
void refused() { toolwire::form_schema_of<Form>(); }
