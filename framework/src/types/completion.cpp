#include "toolwire/completion.hpp"

#include <algorithm>
#include <stdexcept>

namespace toolwire {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins_with(std::string_view text, std::string_view typed) {
  return text.size() >= typed.size() &&
         std::equal(typed.begin(), typed.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

Completer complete_from(std::vector<std::string> choices) {
  return [choices = std::move(choices)](std::string_view typed, const CompletionContext&) {
    Completion completion;
    std::copy_if(choices.begin(), choices.end(), std::back_inserter(completion.values),
                 [&](const std::string& choice) { return begins_with(choice, typed); });
    return completion;
  };
}

}  // namespace toolwire
