// resources/read (specification: server/resources, reading): the function that reads, with questions in between.
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "protocol/asker.hpp"
#include "protocol/error_of_exception.hpp"
#include "protocol/handlers.hpp"
#include "protocol/request_for.hpp"
#include "protocol/resources/read_result.hpp"
#include "protocol/scopes.hpp"
#include "types/in_seconds.hpp"

namespace toolwire::protocol {
namespace {

features::FoundResource find_resource(const Exchange& exchange, const std::string& uri) {
  auto found = find_visible(uri, exchange);
  if (!found) throw not_found(*exchange.revision, uri, "Resource not found");
  return std::move(*found);
}

/// A kind of request, see request_for.hpp.
class ReadResource {
 public:
  static constexpr std::string_view noun = "resource";
  using Outcome = ResourceOutcome;
  using Result = ResourceResult;

  RequestTerms prepare(const Exchange& exchange) {
    request_.uri = uri_in(exchange);
    found_ = find_resource(exchange, request_.uri);
    require_scopes(found_.scopes(), exchange);
    request_.parameters = found_.parameters;
    return {.timeout = found_.timeout()};
  }
  std::string subject() const { return "resource " + request_.uri; }
  const std::string& name() const { return request_.uri; }
  const Json& arguments() const { return request_.parameters; }
  AnyRequest described(const Exchange&) const {
    return {RequestKind::resource, "resources/read", request_.uri, request_.parameters};
  }
  bool answers_at_once() const { return std::holds_alternative<ResourceHandler>(found_.read()); }

  template <class Send>
  void run(const Json&, Context& context, Send send) const {
    if (const auto* now = std::get_if<ResourceHandler>(&found_.read())) return send((*now)(request_, context));
    std::get<LaterResourceHandler>(found_.read())(request_, context, ResourceReply(send));
  }
  void answer(Request& request, ResourceResult&& result) const {
    request.end([&] { answer_with_contents(request.exchange(), request_.uri, found_, result); });
  }
  void fail(Request& request, const std::exception_ptr& thrown) const {
    try {
      std::rethrow_exception(thrown);
    } catch (const ResourceNotFound& error) {
      request.fail(not_found(*request.exchange().revision, request_.uri, error.what()));
    } catch (const ProtocolError& error) {
      const bool is_missing = error.code == error_code::resource_not_found && error.data.is_null();
      request.fail(is_missing ? not_found(*request.exchange().revision, request_.uri, error.what()) : error);
    } catch (const InvalidArguments& error) {
      request.fail(unusable_parameters(request_.uri, error.what()));
    } catch (...) {
      request.fail(error_of_exception(thrown, request));
    }
  }
  std::string timeout_text(std::chrono::milliseconds limit) const {
    return "Internal error: " + subject() + " timed out after " + types::in_seconds(limit);
  }

 private:
  features::FoundResource found_;
  ResourceRequest request_;
};

}  // namespace

void read_resource(Exchange&& exchange) {
  if (!begin_request<ReadResource>(exchange)) throw_busy();
}

}  // namespace toolwire::protocol
