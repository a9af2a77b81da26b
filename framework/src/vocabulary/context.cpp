#include "toolwire/context.hpp"

namespace toolwire {

const JsonObject* Context::answer_object(std::string_view key) const {
  const JsonObject* answers = answers_.if_object();
  const Json* answer = answers != nullptr ? answers->if_contains(key) : nullptr;
  return answer != nullptr ? answer->if_object() : nullptr;
}

}  // namespace toolwire
