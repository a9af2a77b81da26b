// Which files the system opens to execute a program: the program, what its first line names, what loads it. Starts
// nothing.
#pragma once

#include <string>
#include <vector>

namespace toolwire::bridge {

/// Everything that is executed when `program` is: itself, the interpreters of scripts (also those that env starts), the
/// loader. `folders` as in PATH; relative ones are skipped.
std::vector<std::string> files_to_execute(const std::string& program, const std::string& folders);

/// Folders and files that a program needs besides: the virtual environment it lies in.
std::vector<std::string> read_by_program(const std::string& program);

}  // namespace toolwire::bridge
