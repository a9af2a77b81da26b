#include "take_out.hpp"

#include "edit/malformed.hpp"
#include "hosts/config_text.hpp"

namespace toolwire::install {
namespace {

bool becomes(hosts::Format format, const std::string& held, const std::string& text,
             const std::vector<std::string>& path, const JsonObject& entry) {
  try {
    return !hosts::member_of(format, held, path) && hosts::with_member(format, held, path, entry) == text;
  } catch (const edit::Malformed&) {
    return false;
  }
}

}  // namespace

std::optional<std::string> text_without(hosts::Format format, const std::string& text,
                                        const std::vector<std::string>& path, const std::vector<std::string>& held) {
  const std::optional<Json> entry = hosts::member_of(format, text, path);
  if (!entry) return text;
  if (const JsonObject* const members = entry->if_object()) {
    for (const std::string& before : held) {
      if (becomes(format, before, text, path, *members)) return before;
    }
    if (becomes(format, "", text, path, *members)) return std::nullopt;
  }
  return hosts::without_member(format, text, path);
}

}  // namespace toolwire::install
