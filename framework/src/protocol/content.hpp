// Content blocks on the wire, with what a revision knows of them: shared by the results of tools and the messages of
// prompts (specification: server/tools and server/prompts).
#pragma once

#include "json/writer.hpp"
#include "protocol/revision.hpp"
#include "toolwire/result.hpp"

namespace toolwire::protocol {

/// Writes one block. A kind the revision does not know becomes a text that says what it was.
void append_content(json::Writer& writer, const Revision& revision, const Content& content);

/// Writes `"annotations":{…}` if there is anything to write.
void append_annotations(json::Writer& writer, const Revision& revision, const Annotations& annotations);

}  // namespace toolwire::protocol
