#include "protocol/resources/resource_listing.hpp"

#include "json/writer.hpp"
#include "protocol/content.hpp"
#include "protocol/icons.hpp"

namespace toolwire::protocol {
namespace {

/// What resources and templates have in common.
template <class Info>
void append_common(json::Writer& writer, const Revision& revision, const Info& info) {
  if (revision.titles && !info.title.empty()) writer.key("title").string(info.title);
  if (!info.description.empty()) writer.key("description").string(info.description);
  if (!info.mime_type.empty()) writer.key("mimeType").string(info.mime_type);
  append_annotations(writer, revision, info.annotations);
  if (revision.icons && !info.icons.empty()) writer.key("icons").value(icons_as_json(info.icons));
  if (revision.titles && !info.meta.empty()) writer.key("_meta").value(info.meta);
}

}  // namespace

void append_resource(std::string& out, const Revision& revision, const ResourceInfo& info) {
  json::Writer writer(out);
  writer.begin_object();
  writer.key("uri").string(info.uri);
  writer.key("name").string(info.name);
  if (info.size) writer.key("size").integer(*info.size);
  append_common(writer, revision, info);
  writer.end_object();
}

void append_resource_template(std::string& out, const Revision& revision, const ResourceTemplateInfo& info) {
  json::Writer writer(out);
  writer.begin_object();
  writer.key("uriTemplate").string(info.uri_template);
  writer.key("name").string(info.name);
  append_common(writer, revision, info);
  writer.end_object();
}

}  // namespace toolwire::protocol
