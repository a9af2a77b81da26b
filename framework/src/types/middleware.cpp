#include "toolwire/middleware.hpp"

#include "toolwire/error.hpp"

namespace toolwire {

template class BasicReply<AnyRequestOutcome>;

AnyRequestOutcome detail::ReplyTraits<AnyRequestOutcome>::thrown(std::exception_ptr exception) {
  return {{}, std::move(exception)};
}

AnyRequestOutcome detail::ReplyTraits<AnyRequestOutcome>::error(const std::string& text) {
  return thrown(std::make_exception_ptr(ToolError(text)));
}

AnyRequestOutcome detail::ReplyTraits<AnyRequestOutcome>::dropped() {
  return thrown(std::make_exception_ptr(given_up_without_answer()));
}

}  // namespace toolwire
