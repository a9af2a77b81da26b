#include "protocol/error_of_exception.hpp"

#include "log/log.hpp"
#include "toolwire/detail/what_of.hpp"
#include "types/one_line.hpp"

namespace toolwire::protocol {

ProtocolError error_of_exception(const std::exception_ptr& thrown, const Request& request) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ProtocolError& error) {
    return error;
  } catch (const InvalidArguments& error) {
    return ProtocolError(error_code::invalid_params, "Invalid params: " + types::one_line(error.what()));
  } catch (const ResourceNotFound& error) {  // server/resources, error handling
    const bool modern = request.exchange().revision->modern;
    return ProtocolError(modern ? error_code::invalid_params : error_code::resource_not_found, error.what());
  } catch (const ToolError& error) {
    return ProtocolError(error_code::internal_error, error.what());
  } catch (...) {
    const std::string subject = request.subject();
    process::log(LogLevel::error, subject + " failed: " + detail::what_of(thrown));
    return ProtocolError(error_code::internal_error,
                         "Internal error: " + subject + " failed unexpectedly; the log of its server says more",
                         JsonObject{{"code", "execution"}, {"retryable", false}});
  }
}

}  // namespace toolwire::protocol
