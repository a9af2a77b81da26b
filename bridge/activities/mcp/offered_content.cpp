#include "activities/mcp/offered_content.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <toolwire/json_members.hpp>
#include "activities/mcp/listed_members.hpp"

namespace toolwire::bridge::mcp {
namespace {

constexpr std::chrono::milliseconds completion_timeout{2'000};  // a user is typing; meanwhile a thread waits

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
  const Json* listed = find_member(prompt, "arguments");
  if (listed == nullptr || !listed->is_array()) return arguments;
  for (const Json& one : listed->get_array()) {
    const Json* required = find_member(one, "required");
    arguments.push_back({.name = text_or(one, "name"),
                         .description = clean_member(one, "description"),
                         .title = clean_member(one, "title"),
                         .required = required != nullptr && *required == true});
  }
  return arguments;
}

/// The names in the expressions of a URI template (RFC 6570).
std::vector<std::string> variables_of(std::string_view uri_template) {
  std::vector<std::string> variables;
  while (true) {
    const std::size_t begin = uri_template.find('{');
    const std::size_t end = uri_template.find('}', begin);
    if (begin == std::string_view::npos || end == std::string_view::npos) return variables;
    std::string_view list = uri_template.substr(begin + 1, end - begin - 1);
    uri_template.remove_prefix(end + 1);
    if (list.find_first_of("+#./;?&") == 0) list.remove_prefix(1);
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      variables.emplace_back(list.substr(0, std::min(list.find_first_of(":*"), comma)));
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
  }
}

Completion suggestions_in(const Json& result) {
  Completion suggested;
  const Json* completion = find_member(result, "completion");
  const Json* values = completion == nullptr ? nullptr : find_member(*completion, "values");
  if (values == nullptr || !values->is_array()) return suggested;
  for (const Json& value : values->get_array()) {
    if (value.is_string()) suggested.values.emplace_back(std::string_view(value.get_string()));
  }
  const Json* more = find_member(*completion, "hasMore");
  suggested.has_more = more != nullptr && *more == true;
  const Json* total = find_member(*completion, "total");
  if (total != nullptr && total->is_int64() && total->get_int64() >= 0)
    suggested.total = static_cast<std::size_t>(total->get_int64());
  return suggested;
}

/// Asks the server for suggestions. `reference` is what it knows the prompt or the template as.
Completer suggesting(const std::shared_ptr<BackEnd>& back_end, JsonObject reference, std::string argument) {
  return [back_end, reference = std::move(reference), argument = std::move(argument)](
             std::string_view value, const CompletionContext& filled_in) {
    JsonObject params{{"ref", reference}, {"argument", JsonObject{{"name", argument}, {"value", value}}}};
    if (!filled_in.empty()) {
      JsonObject others;
      for (const auto& [name, text] : filled_in) others[name] = text;
      params["context"] = JsonObject{{"arguments", std::move(others)}};
    }
    const auto result = back_end->ask_now("completion/complete", params, completion_timeout);
    return result ? suggestions_in(*result) : Completion();
  };
}

}  // namespace

Resource offered_resource(const Json& resource, const std::string& prefix, std::shared_ptr<BackEnd> back_end,
                          std::chrono::milliseconds timeout) {
  ResourceInfo info{.uri = prefix + text_or(resource, "uri"),
                    .name = clean_member(resource, "name"),
                    .title = clean_member(resource, "title"),
                    .description = clean_member(resource, "description"),
                    .mime_type = clean_member(resource, "mimeType"),
                    .annotations = annotations_of(resource),
                    .icons = icons_of(resource),
                    .meta = meta_of(resource),
                    .timeout = timeout};
  const Json* size = find_member(resource, "size");
  if (size != nullptr && size->is_int64() && size->get_int64() >= 0)
    info.size = static_cast<std::uint64_t>(size->get_int64());
  return {std::move(info), reading(prefix, std::move(back_end))};
}

ResourceTemplate offered_template(const Json& resource_template, const std::string& prefix,
                                  std::shared_ptr<BackEnd> back_end, std::chrono::milliseconds timeout) {
  ResourceTemplateInfo info{.uri_template = prefix + text_or(resource_template, "uriTemplate"),
                            .name = clean_member(resource_template, "name"),
                            .title = clean_member(resource_template, "title"),
                            .description = clean_member(resource_template, "description"),
                            .mime_type = clean_member(resource_template, "mimeType"),
                            .annotations = annotations_of(resource_template),
                            .icons = icons_of(resource_template),
                            .meta = meta_of(resource_template),
                            .timeout = timeout};
  const JsonObject reference{{"type", "ref/resource"}, {"uri", text_or(resource_template, "uriTemplate")}};
  for (const std::string& variable : variables_of(text_or(resource_template, "uriTemplate")))
    info.complete[variable] = suggesting(back_end, reference, variable);
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
  const JsonObject reference{{"type", "ref/prompt"}, {"name", text_or(prompt, "name")}};
  for (const PromptArgument& argument : info.arguments)
    info.completers[argument.name] = suggesting(back_end, reference, argument.name);
  if (text_or(prompt, "name") != name) info.meta["dev.toolwire/name"] = clean_member(prompt, "name");
  return {std::move(info), LaterPromptHandler([back_end = std::move(back_end), own = text_or(prompt, "name")](
                                                  const Json& arguments, Context& context, PromptReply reply) {
            back_end->request("prompts/get", {{"name", JsonString(own)}, {"arguments", arguments}},
                              std::make_unique<PromptCaller>(context, std::move(reply)));
          })};
}

}  // namespace toolwire::bridge::mcp
