// Reads a manifest that is JSON already. Independent of texts and files.
#pragma once

#include "manifest/findings.hpp"

namespace toolwire::bridge {

/// The manifest with what could be read of it; everything else is in the findings.
Manifest read_manifest_document(const JsonObject& document, ManifestOrigin origin, Findings& findings);

}  // namespace toolwire::bridge
