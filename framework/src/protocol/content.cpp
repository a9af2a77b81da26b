#include "protocol/content.hpp"

#include <string>
#include <variant>

#include <toolwire/json_members.hpp>

#include "types/base64.hpp"

namespace toolwire::protocol {
namespace {

using types::base64;

std::string no_audio(const std::string& mime_type) {
  return "[audio, " + mime_type + ": this client's protocol revision has none]";
}

/// Writes the members of one content block; one overload per kind.
struct BlockWriter {
  json::Writer& writer;
  const Revision& revision;

  void operator()(const TextContent& text) const { typed("text").plain_key("text").string(text.text); }

  void operator()(const ImageContent& image) const {
    typed("image").plain_key("data").string(base64(image.bytes));
    writer.plain_key("mimeType").string(image.mime_type);
  }

  void operator()(const AudioContent& audio) const {
    if (!revision.tool_annotations) return as_text(no_audio(audio.mime_type));
    typed("audio").plain_key("data").string(base64(audio.bytes));
    writer.plain_key("mimeType").string(audio.mime_type);
  }

  void operator()(const ResourceLink& link) const {
    if (!revision.resource_links) return as_text(link.name + ": " + link.uri);
    typed("resource_link").plain_key("uri").string(link.uri);
    writer.plain_key("name").string(link.name);
    if (!link.title.empty()) writer.plain_key("title").string(link.title);
    if (!link.description.empty()) writer.plain_key("description").string(link.description);
    if (!link.mime_type.empty()) writer.plain_key("mimeType").string(link.mime_type);
    if (link.size) writer.plain_key("size").integer(*link.size);
  }

  void operator()(const EmbeddedResource& resource) const {
    typed("resource").plain_key("resource").begin_object();
    writer.plain_key("uri").string(resource.uri);
    if (!resource.mime_type.empty()) writer.plain_key("mimeType").string(resource.mime_type);
    if (resource.binary) {
      writer.plain_key("blob").string(base64(resource.contents));
    } else {
      writer.plain_key("text").string(resource.contents);
    }
    writer.end_object();
  }

  void operator()(const Json& verbatim) const {
    const JsonObject* block = verbatim.if_object();
    if (block == nullptr) return as_text(to_json_text(verbatim));
    const std::string type = text_or(*block, "type");
    if (type == "audio" && !revision.tool_annotations) return as_text(no_audio(text_or(*block, "mimeType")));
    if (type == "resource_link" && !revision.resource_links)
      return as_text(text_or(*block, "name") + ": " + text_or(*block, "uri"));
    for (const auto& [key, value] : *block) writer.key(key).value(value);
  }

  json::Writer& typed(std::string_view type) const {
    writer.plain_key("type").plain_string(type);
    return writer;
  }
  void as_text(const std::string& text) const { (*this)(TextContent{text}); }
};

}  // namespace

void append_annotations(json::Writer& writer, const Revision& revision, const Annotations& annotations) {
  bool dated = annotations.last_modified && revision.titles;
  if (annotations.audience.empty() && !annotations.priority && !dated) return;
  writer.plain_key("annotations").begin_object();
  if (!annotations.audience.empty()) {
    writer.plain_key("audience").begin_array();
    for (const std::string& role : annotations.audience) writer.string(role);
    writer.end_array();
  }
  if (annotations.priority) writer.plain_key("priority").number(*annotations.priority);
  if (dated) writer.plain_key("lastModified").string(*annotations.last_modified);
  writer.end_object();
}

void append_content(json::Writer& writer, const Revision& revision, const Content& content) {
  if (const auto* text = std::get_if<TextContent>(&content.item)) {
    writer.begin_object_with(R"({"type":"text","text":)").string(text->text);
  } else {
    writer.begin_object();
    std::visit(BlockWriter{writer, revision}, content.item);
  }
  append_annotations(writer, revision, content.annotations);
  writer.end_object();
}

}  // namespace toolwire::protocol
