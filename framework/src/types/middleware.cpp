#include "toolwire/middleware.hpp"

#include "toolwire/error.hpp"

namespace toolwire {

template class BasicReply<AnyRequestOutcome>;

AnyRequestOutcome detail::ReplyTraits<AnyRequestOutcome>::error(const std::string& text) {
  return {{}, std::make_exception_ptr(ToolError(text))};
}

AnyRequestOutcome detail::ReplyTraits<AnyRequestOutcome>::dropped() {
  return {{},
          std::make_exception_ptr(ProtocolError(error_code::internal_error,
                                                "Internal error: this request was given up without an answer",
                                                JsonObject{{"code", "dropped"}, {"retryable", false}}))};
}

}  // namespace toolwire
