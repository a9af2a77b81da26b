#include "workspace/commands/interpreters.hpp"

#include <algorithm>
#include <iterator>

namespace workspace {
namespace {

constexpr std::string_view shells[] = {"sh",   "bash", "rbash", "dash",  "ash",  "zsh",    "ksh",  "mksh",
                                       "lksh", "fish", "csh",   "tcsh",  "pwsh", "elvish", "nu",   "xonsh",
                                       "posh", "yash", "oksh",  "loksh", "osh",  "ysh",    "murex"};

/// They give a line of their arguments to a shell.
constexpr std::string_view with_a_shell[] = {"su",      "runuser", "script", "watch",     "parallel",  "ssh",
                                             "sshpass", "tmux",    "screen", "nix-shell", "hyperfine", "expect"};

constexpr std::string_view launchers[] = {"env",
                                          "xargs",
                                          "nohup",
                                          "nice",
                                          "ionice",
                                          "timeout",
                                          "time",
                                          "setsid",
                                          "setarch",
                                          "linux",
                                          "stdbuf",
                                          "unbuffer",
                                          "sudo",
                                          "doas",
                                          "pkexec",
                                          "chroot",
                                          "unshare",
                                          "nsenter",
                                          "bwrap",
                                          "firejail",
                                          "systemd-run",
                                          "strace",
                                          "ltrace",
                                          "gdb",
                                          "lldb",
                                          "valgrind",
                                          "perf",
                                          "entr",
                                          "find",
                                          "fd",
                                          "fdfind",
                                          "awk",
                                          "gawk",
                                          "mawk",
                                          "nawk",
                                          "sed",
                                          "ed",
                                          "ex",
                                          "vi",
                                          "view",
                                          "vim",
                                          "vim.basic",
                                          "vim.tiny",
                                          "nvim",
                                          "emacs",
                                          "tclsh",
                                          "wish",
                                          "m4",
                                          "dc",
                                          "flock",
                                          "chrt",
                                          "taskset",
                                          "prlimit",
                                          "setpriv",
                                          "capsh",
                                          "cgexec",
                                          "dbus-run-session",
                                          "docker",
                                          "podman",
                                          "nix",
                                          "less",
                                          "more",
                                          "man",
                                          "run-parts",
                                          "start-stop-daemon",
                                          "fakeroot",
                                          "faketime",
                                          "torsocks",
                                          "proxychains",
                                          "xvfb-run",
                                          "dbus-launch",
                                          "choom",
                                          "uclampset",
                                          "numactl",
                                          "cpulimit",
                                          "tini",
                                          "dumb-init",
                                          "gosu",
                                          "su-exec",
                                          "rr",
                                          "socat",
                                          "rustup",
                                          "R",
                                          "ghci",
                                          "sbcl",
                                          "jshell",
                                          "erl",
                                          "iex",
                                          "octave",
                                          "swipl"};

constexpr std::string_view runners[] = {"npm",  "pnpm",   "yarn",   "npx",    "pnpx",       "bunx",   "corepack",
                                        "uv",   "uvx",    "pipx",   "poetry", "pipenv",     "pdm",    "hatch",
                                        "rye",  "pixi",   "conda",  "mamba",  "micromamba", "bundle", "mise",
                                        "asdf", "direnv", "devbox", "rbenv",  "pyenv",      "git"};

/// Each program in them is an argument or the name they are called by.
constexpr std::string_view many_programs[] = {"busybox", "toybox", "coreutils"};

constexpr std::string_view interpreters[] = {"python",  "pypy",   "ipython", "node",  "nodejs",  "deno",     "bun",
                                             "tsx",     "perl",   "ruby",    "irb",   "php",     "lua",      "luajit",
                                             "Rscript", "julia",  "runghc",  "guile", "racket",  "clojure",  "groovy",
                                             "scala",   "elixir", "escript", "gjs",   "ts-node", "osascript"};

constexpr std::string_view text_modules[] = {"timeit", "pdb",     "code",    "cProfile", "profile", "trace",
                                             "runpy",  "IPython", "idlelib", "bdb",      "jupyter", "xonsh"};

constexpr std::string_view with_modules[] = {"python", "pypy", "ipython"};
constexpr std::string_view options_with_value[] = {
    "-C",          "-p",        "-w",          "-F",          "-n",     "--package", "--prefix",
    "--workspace", "--git-dir", "--work-tree", "--namespace", "--with", "--python",  "--directory",
    "--project",   "--dir",     "--exec-path", "--filter",    "--cwd",  "--name"};
constexpr std::string_view of_next_word[] = {"exec", "x", "dlx", "inspect", "watch"};
constexpr std::string_view of_packages[] = {"npm", "pnpm", "yarn"};

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view without_version(std::string_view name) {
  while (!name.empty() && (name.back() == '.' || name.back() == '-' || (name.back() >= '0' && name.back() <= '9')))
    name.remove_suffix(1);
  return name;
}

/// Of programs that are linked dynamically: runs the one it is given.
bool is_loader(std::string_view name) { return name.starts_with("ld") && name.find(".so") != std::string_view::npos; }

template <class List>
bool has(const List& list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

bool is_shell(std::string_view name) {
  return has(shells, name) || has(shells, without_version(name)) || has(many_programs, name);
}

}  // namespace

ProgramKind program_kind(std::string_view name) {
  const std::string_view part = last_part(name), stem = without_version(part);
  if (is_shell(part) || has(with_a_shell, stem)) return ProgramKind::shell;
  if (has(launchers, part) || has(launchers, stem) || is_loader(part)) return ProgramKind::launcher;
  if (has(interpreters, stem)) return ProgramKind::interpreter;
  return has(runners, stem) ? ProgramKind::runner : ProgramKind::plain;
}

ProgramKind program_kind(std::string_view name, std::string_view file) {
  const bool is_called_otherwise = last_part(name) != last_part(file);
  if (is_called_otherwise && has(many_programs, last_part(file))) return program_kind(name);
  return std::max(program_kind(name), program_kind(file));
}

bool names_shell(std::string_view word) {
  constexpr std::string_view between = " \t\n;|&()=,'\"`";
  for (std::size_t begin = 0; begin < word.size(); ++begin) {
    const std::size_t end = std::min(word.find_first_of(between, begin), word.size());
    if (is_shell(last_part(word.substr(begin, end - begin)))) return true;
    begin = end;
  }
  return false;
}

bool runs_shell_by(std::string_view option) {
  const bool is_short = option.starts_with('-') && !option.starts_with("--");
  return (is_short && option.find('c') != std::string_view::npos) || option.starts_with("--cal") ||
         option.starts_with("--she") || option.starts_with("--config-env");
}

bool has_value(std::string_view option) { return has(options_with_value, option); }

bool runs_modules(std::string_view program) { return has(with_modules, without_version(last_part(program))); }

bool runs_next_word(std::string_view program, std::string_view word) {
  if (has(of_next_word, word)) return true;
  // These run what the package's own file names so, or what is installed for it.
  return word == "run" && !has(of_packages, last_part(program));
}

bool runs_text_after(std::string_view word) { return word == "eval" || word == "repl"; }

bool runs_text_as_module(std::string_view module) { return has(text_modules, module.substr(0, module.find('.'))); }

}  // namespace workspace
