// Bytes of an open file as they are shown: with credentials masked, if the root leaves secrets out. Independent of
// lines and encodings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "workspace/names/secrets.hpp"

namespace workspace {

/// As `bytes_at`. A credential is masked also where only a part of it is asked for.
std::string shown_bytes_at(int descriptor, std::uint64_t offset, std::size_t count, Secrets secrets);

}  // namespace workspace
