// prompts/list (specification: server/prompts, listing).
#include "protocol/handlers.hpp"
#include "protocol/listing/pages.hpp"
#include "protocol/prompts/prompt_listing.hpp"

namespace toolwire::protocol {

void list_prompts(Exchange&& exchange) {
  constexpr ListNames names{.method = "prompts/list", .member = "prompts", .cursor_prefix = "prompts-after-"};
  const Service& service = exchange.connection->service;
  answer_list(exchange, names, service.prompts.list(), service.prompt_lists,
              [](std::string& out, const Revision& revision, const features::ServedPrompt& served) {
                append_prompt(out, revision, served.prompt.info);
              });
}

}  // namespace toolwire::protocol
