// resources/read (specification: server/resources, reading): the function that reads, with questions in between.
#include <memory>
#include <string>
#include <utility>

#include "protocol/handlers.hpp"
#include "protocol/input_requests/function_request.hpp"
#include "protocol/on_crew.hpp"
#include "protocol/resources/read_result.hpp"

namespace toolwire::protocol {
namespace {

features::FoundResource find_resource(const Exchange& exchange, const std::string& uri) {
  auto found = exchange.connection->service.resources.find(uri);
  if (!found) throw not_found(*exchange.revision, uri, "Resource not found");
  return std::move(*found);
}

class ReadResource final : public RequestFor<ResourceOutcome> {
 public:
  ReadResource(Exchange&& exchange, std::string uri, features::FoundResource found)
      : RequestFor(std::move(exchange), found.timeout()),
        found_(std::move(found)),
        request_{std::move(uri), found_.parameters} {
    take_answers();
  }

  std::string subject() const override { return "resource " + request_.uri; }
  const Json& arguments() const override { return request_.parameters; }

 private:
  void call(Context& context, const Send& send) override {
    try {
      if (const auto* now = std::get_if<ResourceHandler>(&found_.read())) return send((*now)(request_, context));
      std::get<LaterResourceHandler>(found_.read())(request_, context, ResourceReply(send));
    } catch (const ResourceNotFound& error) {
      throw not_found(*exchange().revision, request_.uri, error.what());
    } catch (const InvalidArguments& error) {
      throw unusable_parameters(request_.uri, error.what());
    }
  }

  void answer(ResourceResult&& result) override {
    conclude_with([&] { answer_with_contents(exchange(), request_.uri, found_, result); });
  }

  const features::FoundResource found_;
  const ResourceRequest request_;
};

void run(Exchange&& exchange) {
  std::string uri = uri_in(exchange);
  auto found = find_resource(exchange, uri);
  std::make_shared<ReadResource>(std::move(exchange), std::move(uri), std::move(found))->run();
}

}  // namespace

void read_resource(Exchange&& exchange) {
  if (!run_on_crew(exchange, run)) throw_busy();
}

}  // namespace toolwire::protocol
