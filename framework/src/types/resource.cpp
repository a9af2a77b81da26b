#include "toolwire/resource.hpp"

namespace toolwire {

ResourceContents ResourceContents::text(std::string text, std::string mime_type) {
  return {.contents = std::move(text), .mime_type = std::move(mime_type)};
}

ResourceContents ResourceContents::bytes(std::string bytes, std::string mime_type) {
  return {.contents = std::move(bytes), .mime_type = std::move(mime_type), .binary = true};
}

/// For functions shared with tools: an error stays an error, else the texts are the contents.
ResourceOutcome outcome_of_result(ToolResult&& result) {
  ResourceResult read{{}, std::move(result.meta)};
  std::string all;
  for (Content& content : result.content) {
    if (auto* text = std::get_if<TextContent>(&content.item)) {
      all.append(all.empty() ? "" : "\n").append(text->text);
      read.contents.push_back(ResourceContents::text(std::move(text->text)));
    } else if (auto* embedded = std::get_if<EmbeddedResource>(&content.item)) {
      read.contents.push_back({.uri = std::move(embedded->uri),
                               .contents = std::move(embedded->contents),
                               .mime_type = std::move(embedded->mime_type),
                               .binary = embedded->binary});
    } else if (auto* image = std::get_if<ImageContent>(&content.item)) {
      read.contents.push_back(ResourceContents::bytes(std::move(image->bytes), std::move(image->mime_type)));
    } else if (auto* audio = std::get_if<AudioContent>(&content.item)) {
      read.contents.push_back(ResourceContents::bytes(std::move(audio->bytes), std::move(audio->mime_type)));
    }
  }
  if (result.is_error) return ProtocolError(error_code::internal_error, all);
  return read;
}

namespace detail {

ResourceOutcome resource_outcome_of(ResourceContents&& contents) {
  ResourceResult result;
  result.contents.push_back(std::move(contents));
  return result;
}

ResourceOutcome resource_outcome_of(std::vector<ResourceContents>&& contents) {
  return ResourceResult{std::move(contents), {}};
}

ResourceOutcome resource_outcome_of(std::string&& text) {
  return resource_outcome_of(ResourceContents::text(std::move(text)));
}

ResourceOutcome resource_outcome_of(const Shape& shape, const void* value) {
  return resource_outcome_of(ResourceContents::text(to_json_text(encode(shape, value)), "application/json"));
}

ResourceOutcome ReplyTraits<ResourceOutcome>::error(const std::string& text) {
  return ProtocolError(error_code::internal_error, text);
}

ResourceOutcome ReplyTraits<ResourceOutcome>::dropped() {
  return ProtocolError(error_code::internal_error, "Internal error: this reading was given up without an answer");
}

}  // namespace detail

template class BasicReply<ResourceOutcome>;

}  // namespace toolwire
