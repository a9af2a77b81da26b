#include <toolwire/system/empty_value.hpp>

#include <string_view>

namespace toolwire::system {

std::string refuse_empty_value(const std::string& value) {
  return value.empty() ? "expected a value, found an empty one" : std::string();
}

const char* option_without_value(int argc, const char* const* argv) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--") && word.find('=') == word.size() - 1) return argv[i];
  }
  return nullptr;
}

}  // namespace toolwire::system
