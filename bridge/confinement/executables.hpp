// Which files the system opens to execute a program: the program, what its first line names, what loads it. Starts
// nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace toolwire::bridge {

/// The file of a program: `name` itself if it has a slash, else the first program of that name in `folders` (as in
/// PATH; relative folders do not count: what lies in the working directory is not meant by a bare name).
std::optional<std::string> find_program(const std::string& name, const std::string& folders);

/// Everything that is executed when `program` is: it, the interpreters of scripts (also by way of env), the loader.
std::vector<std::string> files_to_execute(const std::string& program, const std::string& folders);

/// Folders and files beside a program without which it does not run: the virtual environment it lies in.
std::vector<std::string> read_by_program(const std::string& program);

}  // namespace toolwire::bridge
