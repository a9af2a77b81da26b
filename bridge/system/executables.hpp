// Which files the system opens to execute a program: the program, what its first line names, what loads it. Starts
// nothing.
#pragma once

#include <string>
#include <vector>

namespace toolwire::bridge {

/// Everything that is executed when `program` is: it, the interpreters of scripts (also by way of env), the loader.
/// `folders` as in PATH; what lies in a relative folder is not meant by a bare name.
std::vector<std::string> files_to_execute(const std::string& program, const std::string& folders);

/// Folders and files beside a program without which it does not run: the virtual environment it lies in.
std::vector<std::string> read_by_program(const std::string& program);

}  // namespace toolwire::bridge
