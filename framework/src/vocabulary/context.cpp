#include "toolwire/context.hpp"

namespace toolwire {

const JsonObject* Context::answer_object(std::string_view key) const {
  const Json* answer = answers_.if_contains(key);
  return answer != nullptr ? answer->if_object() : nullptr;
}

}  // namespace toolwire
