#include "toolwire/client.hpp"

auto refused(const toolwire::CallResult& result) { return toolwire::result_as<std::string_view>(result); }
