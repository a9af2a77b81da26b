#include "toolwire/detail/violations.hpp"

namespace toolwire {

void Violations::add(std::string_view path, std::string_view text) {
  if (is_full()) {
    ++omitted;
    return;
  }
  std::string& line = list.emplace_back(path.empty() ? "arguments" : path);
  line += ": ";
  line += text;
}

void Violations::append(const Violations& more) {
  for (const std::string& line : more.list) {
    if (is_full()) {
      ++omitted;
    } else {
      list.push_back(line);
    }
  }
  omitted += more.omitted;
}

std::string Violations::text() const {
  std::string all;
  for (const std::string& line : list) {
    if (!all.empty()) all += '\n';
    all += line;
  }
  if (omitted > 0) all += "\nand " + std::to_string(omitted) + " more";
  return all;
}

}  // namespace toolwire
