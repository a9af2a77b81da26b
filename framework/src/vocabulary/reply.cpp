#include "toolwire/reply.hpp"

namespace toolwire {

template class BasicReply<AnyOutcome>;

}  // namespace toolwire
