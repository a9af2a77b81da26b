#include "system/executables.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <toolwire/system/file_descriptor.hpp>
#include <toolwire/system/find_program.hpp>

namespace toolwire::bridge {
namespace {

constexpr int max_interpreters = 5;  // nested; the kernel gives up at this depth, too
constexpr std::size_t max_first_line = 256;
constexpr std::size_t max_path = 4096;

std::string read_at(int file, std::size_t offset, std::size_t length) {
  std::string bytes(length, '\0');
  const ssize_t count = ::pread(file, bytes.data(), length, static_cast<off_t>(offset));
  bytes.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  return bytes;
}

template <class Part>
bool read_part(int file, std::size_t offset, Part& part) {
  const std::string bytes = read_at(file, offset, sizeof part);
  if (bytes.size() != sizeof part) return false;
  std::memcpy(&part, bytes.data(), sizeof part);
  return true;
}

std::string loader_of(int file) {
  Elf64_Ehdr header{};
  if (!read_part(file, 0, header) || header.e_ident[EI_CLASS] != ELFCLASS64) return {};
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr part{};
    if (!read_part(file, header.e_phoff + i * sizeof part, part)) return {};
    if (part.p_type != PT_INTERP) continue;
    const std::string path = read_at(file, part.p_offset, std::min<std::size_t>(part.p_filesz, max_path));
    return path.substr(0, path.find('\0'));
  }
  return {};
}

/// "#!/usr/bin/env -S python3 -u" names env and, through it, python3.
std::vector<std::string> interpreters_in(const std::string& first_line, const std::string& folders) {
  std::istringstream words(first_line.substr(2, first_line.find('\n') - 2));
  std::string word;
  std::vector<std::string> named;
  if (words >> word) named.push_back(word);
  if (!word.ends_with("/env")) return named;
  while (words >> word) {
    if (word.starts_with("-") || word.find('=') != std::string::npos) continue;
    if (auto found = system::find_program(word, folders, system::RelativeFolders::skipped))
      named.push_back(std::move(*found));
    break;
  }
  return named;
}

std::vector<std::string> interpreters_of(const std::string& path, const std::string& folders) {
  const system::FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  const std::string begin = file.is_open() ? read_at(file.get(), 0, max_first_line) : std::string();
  if (begin.starts_with("#!")) return interpreters_in(begin, folders);
  if (!begin.starts_with(ELFMAG)) return {};
  const std::string loader = loader_of(file.get());
  return loader.empty() ? std::vector<std::string>() : std::vector{loader};
}

void add_with_interpreters(std::vector<std::string>& files, const std::string& path, const std::string& folders,
                           int depth) {
  if (std::ranges::find(files, path) != files.end()) return;
  files.push_back(path);
  if (depth == max_interpreters) return;
  for (const std::string& next : interpreters_of(path, folders)) add_with_interpreters(files, next, folders, depth + 1);
}

}  // namespace

std::vector<std::string> files_to_execute(const std::string& program, const std::string& folders) {
  std::vector<std::string> files;
  add_with_interpreters(files, program, folders, 0);
  return files;
}

std::vector<std::string> read_by_program(const std::string& program) {
  // PREFIX/bin/python: the interpreter itself lies elsewhere, its modules are here.
  const std::filesystem::path prefix = std::filesystem::path(program).parent_path().parent_path();
  std::error_code none;
  if (!std::filesystem::exists(prefix / "pyvenv.cfg", none)) return {};
  return {prefix.string()};
}

}  // namespace toolwire::bridge
