// The words of `toolwire WORD …`: which program a word stands for. Independent of what the programs do.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace toolwire::tools {

/// The file of `toolwire-WORD`: beside `own_program`, else in the folders of `path` (as in PATH; relative ones are left
/// out). No value if there is none, or the word cannot be the end of a program's name.
std::optional<std::string> program_of_word(const std::string& word, const std::string& own_program,
                                           const std::string& path);

/// All words that have a program, sorted, each once.
std::vector<std::string> words_with_programs(const std::string& own_program, const std::string& path);

/// "there is no word \"brige\", did you mean bridge?; see --help", the guess from `known` and from the programs there
/// are.
std::string unknown_word(const std::string& word, std::vector<std::string> known, const std::string& own_program,
                         const std::string& path);

}  // namespace toolwire::tools
