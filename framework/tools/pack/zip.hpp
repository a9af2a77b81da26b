// Archives of the format zip as bundles need them: few files, each with the rights it has on Unix. Independent of what
// the files are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "packed_file.hpp"

namespace toolwire::pack {

/// The archive, its files in the given order, all with the time `seconds` (since 1970, UTC; to two seconds, and none
/// before 1980). Throws std::length_error for a name above 64 KiB, and for more than the format can hold.
std::string zip_of(const std::vector<PackedFile>& files, std::int64_t seconds);

/// The files of an archive, in the order of its directory. Throws std::runtime_error saying what is wrong with it: a
/// part missing, a checksum that does not fit, a name that leads out of the folder it is unpacked into, or what only
/// other programs write (several parts, encryption, sizes above 4 GiB).
std::vector<PackedFile> files_of_zip(std::string_view zip);

}  // namespace toolwire::pack
