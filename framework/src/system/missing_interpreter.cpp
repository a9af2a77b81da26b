#include <toolwire/system/missing_interpreter.hpp>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <toolwire/system/file_text.hpp>

namespace toolwire::system {
namespace {

constexpr std::size_t looked_at = 256;  // bytes, as the kernel does

std::string interpreter_in(std::string_view beginning) {
  beginning.remove_prefix(std::min(beginning.find_first_not_of(" \t", 2), beginning.size()));
  return std::string(beginning.substr(0, beginning.find_first_of(" \t\n")));
}

}  // namespace

std::optional<std::string> missing_interpreter(const std::string& file) {
  std::string beginning;
  try {
    beginning = beginning_of_file(file, looked_at);
  } catch (const std::system_error&) {  // it is missing, or nobody's to read
    return std::nullopt;
  }
  if (!beginning.starts_with("#!")) return std::nullopt;
  const std::string interpreter = interpreter_in(beginning);
  std::error_code ignored;
  if (std::filesystem::exists(interpreter, ignored)) return std::nullopt;
  return "there is no " + interpreter + ", which its first line names" +
         (interpreter.ends_with('\r') ? " (its lines end as those of Windows do)" : "");
}

}  // namespace toolwire::system
