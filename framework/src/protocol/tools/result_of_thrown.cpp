#include "protocol/tools/result_of_thrown.hpp"

#include "toolwire/error.hpp"
#include "toolwire/result_checks.hpp"

namespace toolwire::protocol {
namespace {

/// What the model reads of these is settled.
bool is_for_the_model(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ToolError&) {
    return true;
  } catch (const InvalidArguments&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

ToolResult result_of_thrown(const Service& service, const std::exception_ptr& thrown, std::string_view tool) {
  const auto& on_exception = service.options.on_exception;
  if (!on_exception || is_for_the_model(thrown)) return result_of_exception(thrown, tool);
  try {
    return on_exception(thrown);
  } catch (const ProtocolError&) {
    throw;
  } catch (...) {
    return result_of_exception(std::current_exception(), tool);
  }
}

}  // namespace toolwire::protocol
