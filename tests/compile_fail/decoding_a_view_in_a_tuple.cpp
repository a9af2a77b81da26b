#include "toolwire/convert.hpp"

void refused(std::tuple<int, std::string_view>& row, toolwire::Violations& violations) {
  toolwire::decode({}, row, "", violations);
}
