#include "packed_name.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace toolwire::pack {

void require_inner_name(std::string_view name) {
  const auto refuse = [&] {
    throw std::runtime_error("the archive has a name that is none of a file inside of it: \"" + std::string(name) +
                             "\"");
  };
  if (name.find('\0') != std::string_view::npos) refuse();
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") refuse();
    begin = end + 1;
  }
}

}  // namespace toolwire::pack
