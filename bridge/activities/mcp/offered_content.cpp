#include "activities/mcp/offered_content.hpp"

#include <utility>

#include "activities/mcp/clean_text.hpp"
#include "activities/mcp/listed_members.hpp"

namespace toolwire::bridge::mcp {
namespace {

/// Of resources/read.
class ResourceCaller : public Caller {
 public:
  ResourceCaller(Context& context, ResourceReply reply, std::string uri, std::string prefix)
      : Caller(context), reply_(std::move(reply)), uri_(std::move(uri)), prefix_(std::move(prefix)) {}

  void succeed(Json&& result) override { reply_(resource_outcome_from(result, uri_, prefix_)); }
  void fail(const Trouble& trouble) override { reply_(ResourceOutcome(protocol_error_from(trouble))); }
  void ask(Questions&& questions) override { reply_(ResourceOutcome(std::move(questions))); }

 private:
  ResourceReply reply_;
  const std::string uri_;
  const std::string prefix_;
};

/// Of prompts/get.
class PromptCaller : public Caller {
 public:
  PromptCaller(Context& context, PromptReply reply) : Caller(context), reply_(std::move(reply)) {}

  void succeed(Json&& result) override { reply_(prompt_outcome_from(result)); }
  void fail(const Trouble& trouble) override { reply_(PromptOutcome(protocol_error_from(trouble))); }
  void ask(Questions&& questions) override { reply_(PromptOutcome(std::move(questions))); }

 private:
  PromptReply reply_;
};

std::string own_text(const Json& listed, std::string_view name) {
  const Json* value = member(listed, name);
  return value != nullptr && value->is_string() ? std::string(std::string_view(value->get_string())) : std::string();
}

LaterResourceHandler reading(const std::string& prefix, std::shared_ptr<BackEnd> back_end) {
  return
      [prefix, back_end = std::move(back_end)](const ResourceRequest& request, Context& context, ResourceReply reply) {
        std::string uri = request.uri.substr(prefix.size());
        JsonObject params{{"uri", JsonString(uri)}};
        back_end->request("resources/read", std::move(params),
                          std::make_unique<ResourceCaller>(context, std::move(reply), std::move(uri), prefix));
      };
}

std::vector<PromptArgument> arguments_of(const Json& prompt) {
  std::vector<PromptArgument> arguments;
  const Json* listed = member(prompt, "arguments");
  if (listed == nullptr || !listed->is_array()) return arguments;
  for (const Json& one : listed->get_array()) {
    const Json* required = member(one, "required");
    arguments.push_back({.name = own_text(one, "name"),
                         .description = clean_member(one, "description"),
                         .title = clean_member(one, "title"),
                         .required = required != nullptr && *required == true});
  }
  return arguments;
}

}  // namespace

Resource offered_resource(const Json& resource, const std::string& prefix, std::shared_ptr<BackEnd> back_end,
                          std::chrono::milliseconds timeout) {
  ResourceInfo info{.uri = prefix + own_text(resource, "uri"),
                    .name = clean_member(resource, "name"),
                    .title = clean_member(resource, "title"),
                    .description = clean_member(resource, "description"),
                    .mime_type = clean_member(resource, "mimeType"),
                    .annotations = annotations_of(resource),
                    .icons = icons_of(resource),
                    .meta = meta_of(resource),
                    .timeout = timeout};
  const Json* size = member(resource, "size");
  if (size != nullptr && size->is_int64() && size->get_int64() >= 0)
    info.size = static_cast<std::uint64_t>(size->get_int64());
  return {std::move(info), reading(prefix, std::move(back_end))};
}

ResourceTemplate offered_template(const Json& resource_template, const std::string& prefix,
                                  std::shared_ptr<BackEnd> back_end, std::chrono::milliseconds timeout) {
  ResourceTemplateInfo info{.uri_template = prefix + own_text(resource_template, "uriTemplate"),
                            .name = clean_member(resource_template, "name"),
                            .title = clean_member(resource_template, "title"),
                            .description = clean_member(resource_template, "description"),
                            .mime_type = clean_member(resource_template, "mimeType"),
                            .annotations = annotations_of(resource_template),
                            .icons = icons_of(resource_template),
                            .meta = meta_of(resource_template),
                            .timeout = timeout};
  return {std::move(info), reading(prefix, std::move(back_end)), nullptr};
}

Prompt offered_prompt(const Json& prompt, const std::string& name, std::shared_ptr<BackEnd> back_end,
                      std::chrono::milliseconds timeout) {
  PromptInfo info{.name = name,
                  .description = clean_member(prompt, "description"),
                  .title = clean_member(prompt, "title"),
                  .icons = icons_of(prompt),
                  .meta = meta_of(prompt),
                  .arguments = arguments_of(prompt),
                  .timeout = timeout};
  if (own_text(prompt, "name") != name) info.meta["dev.toolwire/name"] = clean_member(prompt, "name");
  return {std::move(info), LaterPromptHandler([back_end = std::move(back_end), own = own_text(prompt, "name")](
                                                  const Json& arguments, Context& context, PromptReply reply) {
            back_end->request("prompts/get", {{"name", JsonString(own)}, {"arguments", arguments}},
                              std::make_unique<PromptCaller>(context, std::move(reply)));
          })};
}

}  // namespace toolwire::bridge::mcp
