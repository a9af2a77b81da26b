#include "workspace/commands/interpreters.hpp"

#include <algorithm>
#include <iterator>

namespace workspace {
namespace {

constexpr std::string_view shells[] = {
    "sh",       "bash",   "rbash",    "dash",     "ash",      "zsh",     "ksh",       "mksh",
    "lksh",     "fish",   "csh",      "tcsh",     "pwsh",     "elvish",  "nu",        "xonsh",
    "env",      "xargs",  "nohup",    "nice",     "ionice",   "timeout", "time",      "setsid",
    "setarch",  "linux",  "stdbuf",   "unbuffer", "script",   "sudo",    "doas",      "su",
    "runuser",  "pkexec", "chroot",   "unshare",  "nsenter",  "bwrap",   "firejail",  "systemd-run",
    "strace",   "ltrace", "gdb",      "lldb",     "valgrind", "perf",    "watch",     "entr",
    "parallel", "find",   "fd",       "fdfind",   "awk",      "gawk",    "mawk",      "nawk",
    "sed",      "ed",     "ex",       "vi",       "view",     "vim",     "vim.basic", "vim.tiny",
    "nvim",     "emacs",  "expect",   "tclsh",    "wish",     "m4",      "dc",        "ssh",
    "flock",    "chrt",   "taskset",  "prlimit",  "setpriv",  "capsh",   "cgexec",    "dbus-run-session",
    "docker",   "podman", "nix-shell"};

/// Each program in them is an argument or the name they are called by.
constexpr std::string_view many_programs[] = {"busybox", "toybox", "coreutils"};

constexpr std::string_view interpreters[] = {"python",  "pypy",    "ipython", "node",  "nodejs",  "deno",     "bun",
                                             "tsx",     "perl",    "ruby",    "irb",   "php",     "lua",      "luajit",
                                             "R",       "Rscript", "julia",   "ghci",  "runghc",  "guile",    "racket",
                                             "sbcl",    "clojure", "groovy",  "scala", "jshell",  "elixir",   "erl",
                                             "escript", "octave",  "swipl",   "gjs",   "ts-node", "osascript"};

constexpr std::string_view text_modules[] = {"timeit", "pdb",     "code",    "cProfile", "profile", "trace",
                                             "runpy",  "IPython", "idlelib", "bdb",      "jupyter", "xonsh"};

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view without_version(std::string_view name) {
  while (!name.empty() && (name.back() == '.' || name.back() == '-' || (name.back() >= '0' && name.back() <= '9')))
    name.remove_suffix(1);
  return name;
}

template <class List>
bool has(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

}  // namespace

ProgramKind program_kind(std::string_view name) {
  const std::string_view part = last_part(name), stem = without_version(part);
  if (has(shells, part) || has(shells, stem) || has(many_programs, part)) return ProgramKind::shell;
  return has(interpreters, stem) ? ProgramKind::interpreter : ProgramKind::plain;
}

ProgramKind program_kind(std::string_view name, std::string_view file) {
  const bool is_called_otherwise = last_part(name) != last_part(file);
  if (is_called_otherwise && has(many_programs, last_part(file))) return program_kind(name);
  return std::max(program_kind(name), program_kind(file));
}

bool runs_text_as_module(std::string_view module) { return has(text_modules, module.substr(0, module.find('.'))); }

}  // namespace workspace
