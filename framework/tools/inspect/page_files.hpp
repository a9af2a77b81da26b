// The inspector's page, part of the program.
#pragma once

#include <string_view>

namespace toolwire::inspect {

std::string_view page_markup();
std::string_view page_script();
std::string_view page_style();

}  // namespace toolwire::inspect
