#include <toolwire/system/empty_value.hpp>

#include <string_view>

namespace toolwire::system {
namespace {

bool is_option(std::string_view word) { return word.starts_with('-'); }

}  // namespace

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

std::string refuse_empty_words(const std::vector<std::string>& words) {
  const std::string* before = nullptr;
  for (const std::string& word : words) {
    if (word == "--") break;
    if (is_option(word) && word.find('=') == word.size() - 1)
      return word.substr(0, word.size() - 1) + ": " + refuse_empty_value("");
    const bool has_option = before != nullptr && is_option(*before) && before->find('=') == std::string::npos;
    if (word.empty()) return (has_option ? *before : "an argument") + ": " + refuse_empty_value("");
    before = &word;
  }
  return "";
}

}  // namespace toolwire::system
