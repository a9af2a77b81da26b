#include "toolwire/reply.hpp"

namespace toolwire {

template class BasicReply<AnyOutcome>;

ProtocolError detail::given_up_without_answer() {
  return ProtocolError(error_code::internal_error, "Internal error: this request was given up without an answer",
                       JsonObject{{"code", "dropped"}, {"retryable", false}});
}

AnyOutcome detail::ReplyTraits<AnyOutcome>::error(std::string text) { return ToolResult::error(std::move(text)); }

AnyOutcome detail::ReplyTraits<AnyOutcome>::dropped() {
  return failure("dropped", "The tool gave up this call without an answer.", false);
}

}  // namespace toolwire
