// The texts of resources and templates in lists, with what a revision knows of them (specification: server/resources,
// data types).
#pragma once

#include <string>

#include "protocol/revision.hpp"
#include "toolwire/resource.hpp"

namespace toolwire::protocol {

void append_resource(std::string& out, const Revision& revision, const ResourceInfo& info);
void append_resource_template(std::string& out, const Revision& revision, const ResourceTemplateInfo& info);

}  // namespace toolwire::protocol
