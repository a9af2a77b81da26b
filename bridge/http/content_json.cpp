#include "http/content_json.hpp"

#include <sodium.h>

#include <string>
#include <variant>

namespace toolwire::bridge::http {
namespace {

std::string base64(const std::string& bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                    sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // its zero
  return text;
}

void put_stated(JsonObject& object, std::string_view name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

JsonObject block(std::string_view type, const std::string& bytes, const std::string& mime_type) {
  return {{"type", type}, {"data", base64(bytes)}, {"mimeType", mime_type}};
}

struct Lower {
  Json operator()(const TextContent& text) const { return JsonObject{{"type", "text"}, {"text", text.text}}; }
  Json operator()(const ImageContent& image) const { return block("image", image.bytes, image.mime_type); }
  Json operator()(const AudioContent& audio) const { return block("audio", audio.bytes, audio.mime_type); }
  Json operator()(const ResourceLink& link) const {
    JsonObject object{{"type", "resource_link"}, {"uri", link.uri}, {"name", link.name}};
    put_stated(object, "title", link.title);
    put_stated(object, "description", link.description);
    put_stated(object, "mimeType", link.mime_type);
    return object;
  }
  Json operator()(const EmbeddedResource& embedded) const {
    JsonObject resource{{"uri", embedded.uri}};
    put_stated(resource, "mimeType", embedded.mime_type);
    if (embedded.binary) {
      resource["blob"] = base64(embedded.contents);
    } else {
      resource["text"] = embedded.contents;
    }
    return JsonObject{{"type", "resource"}, {"resource", std::move(resource)}};
  }
  Json operator()(const Json& verbatim) const { return verbatim; }
};

}  // namespace

Json content_json(const Content& content) { return std::visit(Lower{}, content.item); }

}  // namespace toolwire::bridge::http
