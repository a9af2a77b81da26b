// Which tables and keys of a TOML text are defined already, and how: decides what may be defined next, and is the value
// that the text means in the end.
#pragma once

#include <memory>
#include <string>
#include <toolwire/json.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

namespace toolwire::edit {

/// A table, an array of tables or a value under its name.
class TomlDefinition {
 public:
  enum class Kind {
    implied,  ///< A table that only names on the way to others have made.
    header,   ///< A table with a header.
    dotted,   ///< A table that dotted keys have made.
    tables,   ///< An array of tables, the last of which is open.
    value
  };

  TomlDefinition() = default;

  /// The table of a header [a.b.c]; null if it may not stand there.
  TomlDefinition* open_table(const std::vector<std::string>& path);
  /// The new table of a header [[a.b.c]]; null if it may not stand there.
  TomlDefinition* open_element(const std::vector<std::string>& path);
  /// Defines a.b.c = value in this table. False if it may not stand there.
  bool define(const std::vector<std::string>& keys, const Json& value);

  [[nodiscard]] Json value() const;

 private:
  TomlDefinition* find(const std::string& name) const;
  TomlDefinition* add(const std::string& name, Kind kind);
  TomlDefinition* walk(const std::vector<std::string>& path);

  Kind kind_ = Kind::header;
  Json value_ = {};
  std::vector<std::pair<std::string, std::unique_ptr<TomlDefinition>>> members_ = {};
  std::unordered_map<std::string, TomlDefinition*> by_name_ = {};  // of `members_`
  std::vector<std::unique_ptr<TomlDefinition>> elements_ = {};
};

}  // namespace toolwire::edit
