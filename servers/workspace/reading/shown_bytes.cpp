#include "workspace/reading/shown_bytes.hpp"

#include <algorithm>

#include "workspace/system/file_bytes.hpp"
#include "workspace/text/credentials.hpp"

namespace workspace {

std::string shown_bytes_at(int descriptor, std::uint64_t offset, std::size_t count, Secrets secrets) {
  if (secrets == Secrets::shown) return bytes_at(descriptor, offset, count);
  constexpr std::size_t around = max_credential + 64;  // and what tells that it is one
  const auto before = static_cast<std::size_t>(std::min<std::uint64_t>(offset, around));
  std::string bytes = bytes_at(descriptor, offset - before, before + count + around);
  mask_credentials(bytes);
  return bytes.size() <= before ? std::string() : bytes.substr(before, count);
}

}  // namespace workspace
