// Structured content whose root is no object, for revisions that know only objects (2025-06-18 schema,
// Tool.outputSchema): a member "result" holds it, in the published schema and in results alike. Takes values.
#pragma once

#include "protocol/revision.hpp"
#include "toolwire/json.hpp"

namespace toolwire::protocol {

bool has_object_root(const Json& schema);

/// Whether the output of a tool with this schema is wrapped. Not where the schema refers to parts of itself: its
/// references would lead astray, and such output is sent as text alone.
bool wraps_structured(const Revision& revision, const Json& output_schema);

/// {"result": value}, and the schema of it.
Json wrapped(Json value);
Json wrapped_schema(const Json& output_schema);

}  // namespace toolwire::protocol
