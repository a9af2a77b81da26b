// prompts/list (specification: server/prompts, listing).
#include "protocol/handlers.hpp"
#include "protocol/listing/list_request.hpp"
#include "protocol/prompts/prompt_listing.hpp"

namespace toolwire::protocol {
namespace {

struct PromptList {
  static constexpr ListNames names{.method = "prompts/list", .member = "prompts", .cursor_prefix = "prompts-after-"};
  static auto listing(const Service& service) { return service.prompts.list(); }
  static const ListCache& cache(const Service& service) { return service.prompt_lists; }
  static void append(std::string& out, const Revision& revision, const features::ServedPrompt& served) {
    append_prompt(out, revision, served.prompt.info);
  }
  static std::shared_ptr<const JsonObject> meta(const Service&) { return nullptr; }
};

}  // namespace

void list_prompts(Exchange&& exchange) { list<PromptList>(std::move(exchange)); }

}  // namespace toolwire::protocol
