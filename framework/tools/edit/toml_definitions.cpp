#include "toml_definitions.hpp"

#include <cstddef>

namespace toolwire::edit {

TomlDefinition* TomlDefinition::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

TomlDefinition* TomlDefinition::add(const std::string& name, Kind kind) {
  members_.emplace_back(name, std::make_unique<TomlDefinition>());
  TomlDefinition* const added = members_.back().second.get();
  added->kind_ = kind;
  by_name_.emplace(name, added);
  return added;
}

/// The table that holds the last name of a header; null if a value is on the way.
TomlDefinition* TomlDefinition::walk(const std::vector<std::string>& path) {
  TomlDefinition* table = this;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    TomlDefinition* next = table->find(path[i]);
    if (next == nullptr) next = table->add(path[i], Kind::implied);
    if (next->kind_ == Kind::value) return nullptr;
    table = next->kind_ == Kind::tables ? next->elements_.back().get() : next;
  }
  return table;
}

TomlDefinition* TomlDefinition::open_table(const std::vector<std::string>& path) {
  TomlDefinition* const table = walk(path);
  if (table == nullptr) return nullptr;
  TomlDefinition* const known = table->find(path.back());
  if (known == nullptr) return table->add(path.back(), Kind::header);
  if (known->kind_ != Kind::implied) return nullptr;
  known->kind_ = Kind::header;
  return known;
}

TomlDefinition* TomlDefinition::open_element(const std::vector<std::string>& path) {
  TomlDefinition* const table = walk(path);
  if (table == nullptr) return nullptr;
  TomlDefinition* tables = table->find(path.back());
  if (tables == nullptr) tables = table->add(path.back(), Kind::tables);
  if (tables->kind_ != Kind::tables) return nullptr;
  tables->elements_.push_back(std::make_unique<TomlDefinition>());
  return tables->elements_.back().get();
}

bool TomlDefinition::define(const std::vector<std::string>& keys, const Json& value) {
  TomlDefinition* table = this;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    TomlDefinition* next = table->find(keys[i]);
    if (next == nullptr) next = table->add(keys[i], Kind::dotted);
    if (next->kind_ != Kind::dotted && next->kind_ != Kind::implied) return false;
    table = next;
  }
  if (table->find(keys.back()) != nullptr) return false;
  table->add(keys.back(), Kind::value)->value_ = value;
  return true;
}

Json TomlDefinition::value() const {
  if (kind_ == Kind::value) return value_;
  if (kind_ == Kind::tables) {
    JsonArray array;
    for (const auto& element : elements_) array.push_back(element->value());
    return array;
  }
  JsonObject object;
  for (const auto& [name, member] : members_) object[name] = member->value();
  return object;
}

}  // namespace toolwire::edit
