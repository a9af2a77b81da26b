#include "messages/block_text.hpp"

#include <string_view>

#include <toolwire/json_members.hpp>

namespace toolwire::bridge {
namespace {

void append(std::string& all, std::string_view line) {
  if (!all.empty() && all.back() != '\n') all += '\n';
  all += line;
}

std::string note(std::string_view what, std::string_view about, std::size_t bytes) {
  return "[" + std::string(what) + (about.empty() ? "" : " ") + std::string(about) + ", " + std::to_string(bytes) +
         " bytes: not shown as text]";
}

std::string link_note(std::string_view uri, std::string_view name) {
  return "[resource " + std::string(uri) + (name.empty() ? "" : " (" + std::string(name) + ")") + "]";
}

std::string embedded_text(const JsonObject& resource) {
  if (resource.contains("text")) return text_or(resource, "text");
  return note("resource", text_or(resource, "uri"), text_member(resource, "blob").size() * 3 / 4);
}

std::string block_text(const JsonObject& block) {
  const std::string type = text_or(block, "type");
  if (type == "text") return text_or(block, "text");
  if (type == "image" || type == "audio")
    return note(type, text_or(block, "mimeType"), text_member(block, "data").size() * 3 / 4);
  if (type == "resource_link") return link_note(text_or(block, "uri"), text_or(block, "name"));
  const Json* resource = block.if_contains("resource");
  if (resource != nullptr && resource->is_object()) return embedded_text(resource->get_object());
  return to_json_text(Json(block));
}

struct ContentText {
  std::string operator()(const TextContent& text) const { return text.text; }
  std::string operator()(const ImageContent& image) const { return note("image", image.mime_type, image.bytes.size()); }
  std::string operator()(const AudioContent& audio) const { return note("audio", audio.mime_type, audio.bytes.size()); }
  std::string operator()(const ResourceLink& link) const { return link_note(link.uri, link.name); }
  std::string operator()(const EmbeddedResource& resource) const {
    return resource.binary ? note("resource", resource.uri, resource.contents.size()) : resource.contents;
  }
  std::string operator()(const Json& verbatim) const {
    return verbatim.is_object() ? block_text(verbatim.get_object()) : to_json_text(verbatim);
  }
};

}  // namespace

std::string text_of_blocks(const JsonArray& blocks) {
  std::string all;
  for (const Json& block : blocks)
    append(all, block.is_object() ? block_text(block.get_object()) : to_json_text(block));
  return all;
}

std::string text_of_content(const std::vector<Content>& content) {
  std::string all;
  for (const Content& one : content) append(all, std::visit(ContentText{}, one.item));
  return all;
}

}  // namespace toolwire::bridge
