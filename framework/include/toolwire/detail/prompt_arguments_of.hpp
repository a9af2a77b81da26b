// What a struct of arguments says of itself to those who fill it in. Nobody but prompt.hpp and the framework includes
// this.
#pragma once

#include <vector>

#include "toolwire/completion.hpp"
#include "toolwire/detail/prompt_argument.hpp"
#include "toolwire/detail/type_table.hpp"

namespace toolwire::detail {

/// The arguments that describe a struct's members.
std::vector<PromptArgument> prompt_arguments_of(const ObjectShape& shape);

/// Adds an entry for every member: the names of an enumeration, true and false, else an empty function. Those that are
/// there stay.
void add_completers_of(const ObjectShape& shape, Completers& completers);

}  // namespace toolwire::detail
