#include "command/output_files.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "command/options.hpp"

namespace toolwire::conformance {

void check_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  const bool existed = std::filesystem::exists(file);
  if (!std::ofstream(file, std::ios::app)) throw UsageEnd(2, "cannot write " + file);
  if (!existed) std::filesystem::remove(file);
}

void write_output(const std::string& file, const std::string& text) {
  if (file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return;
  }
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw UsageEnd(2, "cannot write " + file);
}

}  // namespace toolwire::conformance
