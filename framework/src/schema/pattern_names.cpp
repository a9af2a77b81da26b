#include "schema/pattern_names.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace toolwire::schema {
namespace {

using Name = std::pair<std::string_view, std::string_view>;

// General categories: the long names of PropertyValueAliases, with the aliases that name the same category.
constexpr std::array<Name, 40> categories = {{
    {"Letter", "L"},
    {"Uppercase_Letter", "Lu"},
    {"Lowercase_Letter", "Ll"},
    {"Titlecase_Letter", "Lt"},
    {"Modifier_Letter", "Lm"},
    {"Other_Letter", "Lo"},
    {"Mark", "M"},
    {"Combining_Mark", "M"},
    {"Nonspacing_Mark", "Mn"},
    {"Spacing_Mark", "Mc"},
    {"Enclosing_Mark", "Me"},
    {"Number", "N"},
    {"Decimal_Number", "Nd"},
    {"digit", "Nd"},
    {"Letter_Number", "Nl"},
    {"Other_Number", "No"},
    {"Punctuation", "P"},
    {"punct", "P"},
    {"Connector_Punctuation", "Pc"},
    {"Dash_Punctuation", "Pd"},
    {"Open_Punctuation", "Ps"},
    {"Close_Punctuation", "Pe"},
    {"Initial_Punctuation", "Pi"},
    {"Final_Punctuation", "Pf"},
    {"Other_Punctuation", "Po"},
    {"Symbol", "S"},
    {"Math_Symbol", "Sm"},
    {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"},
    {"Other_Symbol", "So"},
    {"Separator", "Z"},
    {"Space_Separator", "Zs"},
    {"Line_Separator", "Zl"},
    {"Paragraph_Separator", "Zp"},
    {"Control", "Cc"},
    {"cntrl", "Cc"},
    {"Format", "Cf"},
    {"Private_Use", "Co"},
    {"Other", "C"},
    {"Any", "Any"},
}};

bool is_short_category(std::string_view name) {
  static constexpr std::string_view groups = "LMNPSZC";
  return !name.empty() && name.size() <= 2 && groups.find(name[0]) != groups.npos;
}

bool is_script(std::string_view name) {
  return name.size() > 2 && name[0] >= 'A' && name[0] <= 'Z' && name.find_first_of("{}=^") == name.npos;
}

}  // namespace

std::optional<std::string> re2_property(std::string_view ecma) {
  const auto equals = ecma.find('=');
  const std::string_view value = equals == ecma.npos ? ecma : ecma.substr(equals + 1);
  const std::string_view property = equals == ecma.npos ? std::string_view() : ecma.substr(0, equals);
  if (property == "Script" || property == "sc" || property == "Script_Extensions" || property == "scx") {
    return is_script(value) ? std::optional(std::string(value)) : std::nullopt;
  }
  if (!property.empty() && property != "General_Category" && property != "gc") return std::nullopt;
  const auto known =
      std::find_if(categories.begin(), categories.end(), [&](const Name& name) { return name.first == value; });
  if (known != categories.end()) return std::string(known->second);
  return is_short_category(value) ? std::optional(std::string(value)) : std::nullopt;
}

}  // namespace toolwire::schema
