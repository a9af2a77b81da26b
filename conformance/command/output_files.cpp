#include "command/output_files.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "command/options.hpp"

namespace toolwire::conformance {

void check_writable(const std::string& file) {
  if (file.empty() || file == "-") return;
  namespace fs = std::filesystem;
  std::error_code ignored;
  const bool existed = fs::exists(file, ignored);
  // A pipe that was opened and closed again would be at its end for who reads it.
  if (existed && !fs::is_regular_file(file, ignored) && !fs::is_directory(file, ignored)) return;
  if (!std::ofstream(file, std::ios::app)) throw UsageEnd(2, "cannot write " + file);
  if (!existed) fs::remove(fs::weakly_canonical(file, ignored), ignored);  // of a link what it leads to
}

void write_output(const std::string& file, const std::string& text) {
  if (file == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw UsageEnd(2, "cannot write the report to standard output");
    return;
  }
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw UsageEnd(2, "cannot write " + file);
}

}  // namespace toolwire::conformance
