#include "toolwire/reply.hpp"

namespace toolwire {

template class BasicReply<AnyOutcome>;

AnyOutcome detail::ReplyTraits<AnyOutcome>::error(std::string text) { return ToolResult::error(std::move(text)); }

AnyOutcome detail::ReplyTraits<AnyOutcome>::dropped() {
  return failure("dropped", "The tool gave up this call without an answer.", false);
}

}  // namespace toolwire
