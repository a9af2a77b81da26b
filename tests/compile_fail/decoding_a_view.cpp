#include "toolwire/convert.hpp"

struct Text {
  std::vector<std::string_view> words;
  static constexpr auto describe() { return toolwire::fields(toolwire::field<&Text::words>("Words")); }
};
void refused(Text& text, toolwire::Violations& violations) { toolwire::decode({}, text, "", violations); }
