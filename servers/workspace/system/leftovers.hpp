// Files that servers which were killed while writing have left behind. Independent of the protocol.
#pragma once

#include "workspace/system/roots.hpp"

namespace workspace {

/// Removes old drafts (toolwire::system::remove_old_drafts) in all folders of the roots, among the first entries of
/// large ones. What cannot be read or removed stays.
void remove_leftovers(const Roots& roots);

}  // namespace workspace
