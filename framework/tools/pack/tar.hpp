// Archives of the format tar (POSIX ustar) in gzip, as packages of npm are. Independent of what the files are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "packed_file.hpp"

namespace toolwire::pack {

/// The archive, its files in the given order, all of user and group 0 and with the time `seconds` (since 1970, UTC,
/// none before). Throws std::length_error for a name above 100 bytes or more than 1 GiB.
std::string tar_gz_of(const std::vector<PackedFile>& files, std::int64_t seconds);

/// The files of an archive, in its order. Throws std::runtime_error saying what is wrong with it: a part missing, a
/// checksum that does not fit, a name that leads out of the folder it is unpacked into, or anything but regular files.
std::vector<PackedFile> files_of_tar_gz(std::string_view archive);

}  // namespace toolwire::pack
