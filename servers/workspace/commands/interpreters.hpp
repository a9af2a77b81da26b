// Programs that run whatever text or program their arguments name. Approving `cargo test` says what is done; approving
// `bash`, with any arguments or with a line of text, does not. Independent of patterns and of how commands are run.
#pragma once

#include <string_view>

namespace workspace {

enum class ProgramKind {
  plain,
  runner,       // runs the program or command it is named, or what an option says: npx, uv, git
  interpreter,  // runs a script it is named, or text that an option gives it: python, node, perl
  launcher,     // runs the programs that its arguments name, or text of its own, wherever: env, xargs, find, awk
  shell         // runs a line of a shell: sh, busybox, and what hands its arguments to one: su, script, watch
};

/// By the last part of a name or path; numbers of versions at its end do not count ("python3.11").
ProgramKind program_kind(std::string_view name);

/// The same of a program called by `name` whose file, all links resolved, is `file`: the stricter of both. A file that
/// is many programs (busybox) is what it is called.
ProgramKind program_kind(std::string_view name, std::string_view file);

/// Whether a word of a command names a shell, alone or among other words: `/bin/sh`, `sh -c x`.
bool names_shell(std::string_view word);
/// Whether this option of a runner, before what it runs, has a line for a shell or names one: `npx -c`, `git -c`.
bool runs_shell_by(std::string_view option);
/// Whether the next word is the value of this option of a runner, before what it runs.
bool has_value(std::string_view option);

/// Whether `-m` gives it a module to run.
bool runs_modules(std::string_view program);
/// Whether `python -m` with this module runs text or further programs.
bool runs_text_as_module(std::string_view module);

/// Whether this first word of a runner or interpreter means that the next one is the program or script: `npm exec`, `uv
/// run`, `deno run`.
bool runs_next_word(std::string_view program, std::string_view word);
/// Whether it runs text: `deno eval`.
bool runs_text_after(std::string_view word);

}  // namespace workspace
