#include "features/tool_registry.hpp"

namespace toolwire::features {

template class Registry<ServedTool>;

}  // namespace toolwire::features
