#include "registry/document_run.hpp"

#include <stdexcept>
#include <utility>

#include <toolwire/error.hpp>

#include "registry/call_fields.hpp"

namespace toolwire::bridge {
namespace {

std::string name_in(const Json& written) {
  const JsonObject* object = written.if_object();
  if (object == nullptr) throw InvalidArguments("expected an object, a tool with its parameters filled");
  const Json* name = object->if_contains("_tool");
  if (name == nullptr || !name->is_string()) throw InvalidArguments("_tool: expected the name of a tool");
  return std::string(name->get_string());
}

void read(const CallCore& core, DocumentCall& one) {
  const std::string name = name_in(one.written);
  one.call.tool = name;
  const ToolPointer tool = core.tools.find(name);
  if (!tool) {
    one.refused = failure("unknown_tool", "There is no tool \"" + name + "\"", false);
    return;
  }
  one.call = split_call(*tool, core.resolve(tool->definition), one.written, Identity::required);
}

}  // namespace

std::vector<DocumentCall> calls_in(const CallCore& core, const Json& document) {
  const JsonObject* object = document.if_object();
  const Json* calls = object == nullptr ? nullptr : object->if_contains("calls");
  if (calls == nullptr || !calls->is_array())
    throw std::invalid_argument("expected an object with the member \"calls\", an array of filled tools");
  std::vector<DocumentCall> all;
  for (const Json& written : calls->get_array()) {
    DocumentCall& one = all.emplace_back(DocumentCall{written});
    try {
      read(core, one);
    } catch (const InvalidArguments& error) {
      one.refused = failure("invalid_arguments", error.what(), true);
    }
  }
  return all;
}

}  // namespace toolwire::bridge
