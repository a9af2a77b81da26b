#include "protocol/prompts/prompt_listing.hpp"

#include "json/writer.hpp"
#include "protocol/icons.hpp"

namespace toolwire::protocol {
namespace {

void append_argument(json::Writer& writer, const Revision& revision, const PromptArgument& argument) {
  writer.begin_object();
  writer.key("name").string(argument.name);
  if (revision.titles && !argument.title.empty()) writer.key("title").string(argument.title);
  if (!argument.description.empty()) writer.key("description").string(argument.description);
  if (argument.required) writer.key("required").boolean(true);
  writer.end_object();
}

}  // namespace

void append_prompt(std::string& out, const Revision& revision, const PromptInfo& info) {
  json::Writer writer(out);
  writer.begin_object();
  writer.key("name").string(info.name);
  if (revision.titles && !info.title.empty()) writer.key("title").string(info.title);
  if (!info.description.empty()) writer.key("description").string(info.description);
  if (!info.arguments.empty()) {
    writer.key("arguments").begin_array();
    for (const PromptArgument& argument : info.arguments) append_argument(writer, revision, argument);
    writer.end_array();
  }
  if (revision.icons && !info.icons.empty()) writer.key("icons").value(icons_as_json(info.icons));
  if (revision.titles && !info.meta.empty()) writer.key("_meta").value(info.meta);
  writer.end_object();
}

}  // namespace toolwire::protocol
