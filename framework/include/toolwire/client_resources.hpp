// What a client does with resources and suggestions, on top of Client::request. Independent of connections; for changes
// of resources see Client::subscribe_resources.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "toolwire/client.hpp"

namespace toolwire {

struct ListedResource {
  std::string uri = {};  ///< Of a template: the template.
  std::string name = {};
  std::string title = {};
  std::string description = {};
  std::string mime_type = {};
  Json raw = {};
};

/// One piece of what was read. `contents` is text, or raw bytes when `binary`.
struct ReadContents {
  std::string uri = {};
  std::string contents = {};
  std::string mime_type = {};
  bool binary = false;
};

struct Suggestions {
  std::vector<std::string> values = {};
  bool has_more = false;
  Json raw = {};
};

/// All resources, and all templates, following cursors. Throw as CallHandle::wait.
std::vector<ListedResource> list_resources(Client& client);
std::vector<ListedResource> list_resource_templates(Client& client);

/// Reads a resource; questions it asks are answered as those of a tool. Throws as CallHandle::wait: ProtocolError with
/// -32602 or -32002 for what is not there, and -32603 when the server's answer is no such result.
std::vector<ReadContents> read_resource(Client& client, std::string_view uri);

/// Suggestions for an argument of a prompt, or for a variable of a resource template. `context`: what is filled in.
Suggestions complete_prompt(Client& client, std::string_view prompt, std::string_view argument, std::string_view value,
                            const std::map<std::string, std::string>& context = {});
Suggestions complete_template(Client& client, std::string_view uri_template, std::string_view variable,
                              std::string_view value, const std::map<std::string, std::string>& context = {});

}  // namespace toolwire
