#include "server/route.hpp"

#include <new>
#include <string>
#include <utility>

#include "protocol/busy.hpp"
#include "protocol/identification.hpp"
#include "protocol/methods.hpp"
#include "protocol/on_engine.hpp"
#include "protocol/traced.hpp"

namespace toolwire::server {
namespace {

/// A request the table of calls would not take: an id in use, or too many calls.
void refuse(const protocol::Exchange& exchange, runtime::InFlight::Refusal refusal, const std::string& method) {
  if (refusal == runtime::InFlight::Refusal::id_in_use) {
    throw ProtocolError(error_code::invalid_request,
                        "Invalid Request: this id is that of a request that is not answered yet");
  }
  if (method == "tools/call") return protocol::refuse_busy(exchange);
  protocol::throw_busy();
}

}  // namespace

void route(const std::shared_ptr<protocol::Connection>& connection, jsonrpc::Request&& request,
           std::shared_ptr<runtime::AnswerSink> sink, bool in_batch, const std::shared_ptr<const Json>& shared_meta) {
  const protocol::Service& service = connection->service;
  auto begun = connection->in_flight.begin(std::move(request.id), std::move(sink));
  protocol::Exchange exchange{.connection = connection,
                              .call = std::move(begun.call),
                              .params = std::move(request.params),
                              .client = connection->client,
                              .own_meta = shared_meta,
                              .bytes = request.bytes,
                              .in_batch = in_batch};
  try {
    const Json* const meta = shared_meta             ? shared_meta.get()
                             : request.params_usable ? exchange.arguments().if_contains("_meta")
                                                     : nullptr;
    exchange.meta_member = meta;
    if (service.options.tracer) protocol::follow(exchange, request.method, *service.options.tracer);
    if (!request.params_usable)
      throw ProtocolError(error_code::invalid_params, "Invalid params: \"params\" must be an object");
    exchange.revision = protocol::revision_of(request.method, meta, connection->negotiated);
    protocol::MethodHandler handle = protocol::find_method(request.method, exchange.revision, service.offered());
    if (handle == nullptr) throw ProtocolError(error_code::method_not_found, "Method not found");
    if (begun.refusal != runtime::InFlight::Refusal::none) return refuse(exchange, begun.refusal, request.method);
    // Who names its callers itself has done so before.
    if (service.options.identify && exchange.caller().empty())
      return protocol::identify(std::move(exchange), request.method, handle);
    handle(std::move(exchange));
  } catch (const ProtocolError& error) {
    exchange.fail(error);
  } catch (const std::bad_alloc&) {
    if (exchange.call) protocol::fail_without_memory(*exchange.call);  // else whoever took it has let it go
  }
}

}  // namespace toolwire::server
