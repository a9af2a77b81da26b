#include "toml_tree.hpp"

#include "toml_definitions.hpp"
#include "toml_reader.hpp"

namespace toolwire::edit {
namespace {

/// Reads statement after statement.
class Statements : private TomlReader {
 public:
  explicit Statements(std::string_view text) : TomlReader(text) {}

  TomlTree read() {
    TomlTree tree;
    TomlDefinition root;
    TomlDefinition* table = &root;
    TomlKeys table_path;
    while (!at_end()) {
      const std::size_t begin = at();
      skip_spaces();
      if (!is_line_over()) {
        TomlStatement statement = next() == '[' ? header() : key_value(table_path);
        const std::size_t first_byte = begin + (text().substr(begin).find_first_not_of(" \t"));
        table = defined(statement, root, table, table_path, first_byte);
        if (statement.kind != TomlStatement::Kind::key_value) table_path = statement.path;
        statement.begin = begin;
        end_line();
        statement.end = at();
        tree.statements.push_back(std::move(statement));
      } else {
        end_line();
      }
    }
    tree.value = root.value();
    return tree;
  }

 private:
  TomlStatement header() {
    take('[');
    const bool is_array = next() == '[';
    if (is_array) take('[');
    TomlStatement statement{.kind = is_array ? TomlStatement::Kind::array_of_tables : TomlStatement::Kind::table};
    statement.path = keys();
    take(']');
    if (is_array) take(']');
    return statement;
  }

  TomlStatement key_value(const TomlKeys& table_path) {
    TomlMember member = key_and_value();
    TomlStatement statement{.kind = TomlStatement::Kind::key_value, .path = table_path};
    statement.path.insert(statement.path.end(), member.keys.begin(), member.keys.end());
    statement.value = std::move(member.value);
    return statement;
  }

  /// The table that the next keys belong to.
  TomlDefinition* defined(const TomlStatement& statement, TomlDefinition& root, TomlDefinition* table,
                          const TomlKeys& table_path, std::size_t place) const {
    if (statement.kind == TomlStatement::Kind::key_value) {
      const auto first_key = statement.path.begin() + static_cast<std::ptrdiff_t>(table_path.size());
      if (!table->define({first_key, statement.path.end()}, statement.value.value)) fail_twice(statement, place);
      return table;
    }
    TomlDefinition* const opened = statement.kind == TomlStatement::Kind::table ? root.open_table(statement.path)
                                                                                : root.open_element(statement.path);
    if (opened == nullptr) fail_twice(statement, place);
    return opened;
  }

  [[noreturn]] void fail_twice(const TomlStatement& statement, std::size_t place) const {
    std::string name;
    for (const std::string& key : statement.path) name.append(name.empty() ? "" : ".").append(key);
    throw Malformed(text(), place, "\"" + name + "\" is defined already, or is part of a value");
  }
};

}  // namespace

TomlTree read_toml_tree(std::string_view text) {
  require_utf8(text);
  return Statements(text).read();
}

}  // namespace toolwire::edit
