"""What shells offer behind the programs' names: for bash, zsh and fish, of what the programs say with --help. Each file is
for one program and needs no other."""

from dataclasses import dataclass, replace
from pathlib import Path

from usage import Command

HEAD = "Written from what the programs say with --help; framework/packaging/release/completions.py wrote it."


@dataclass(frozen=True)
class Known:
    """Values that no help lists."""

    hosts: tuple[str, ...]
    scopes: tuple[str, ...]


def with_inner_programs(program: str, commands: dict[str, list[Command]]) -> list[Command]:
    """Of `toolwire`: its words that run another program have the words and options of that one."""
    own = commands[program]
    inner = [replace(each, path=(program, word, *each.path[1:]), summary=summary)
             for word, summary in own[0].words.items()
             for each in commands.get(f"{program}-{word}", []) if (program, word) not in {one.path for one in own}]
    return own + inner


def _values(command: Command, known: Known) -> dict[str, tuple[str, ...]]:
    """What an option takes, where that is known; all other values may be names of files."""
    return {name: known.scopes if option.value == "SCOPE" else option.choices
            for option in command.options for name in option.names if option.value}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _function(program: str) -> str:
    return "_" + program.replace("-", "_")


def bash(program: str, commands: list[Command], known: Known) -> str:
    words, options, hosts, values = [], [], [], []
    for command in commands:
        path = " ".join(command.path)
        words.append(f"[{_quoted(path)}]={_quoted(' '.join(command.words))}")
        options.append(f"[{_quoted(path)}]={_quoted(' '.join(name for one in command.options for name in one.names))}")
        if command.takes_host:
            hosts.append(f"[{_quoted(path)}]={_quoted(' '.join(known.hosts))}")
        values += [f"[{_quoted(f'{path} {name}')}]={_quoted(' '.join(some))}"
                   for name, some in _values(command, known).items()]
    tables = "\n".join(f"  local -A {name}=(\n    " + "\n    ".join(rows) + "\n  )"
                       for name, rows in (("words", words), ("options", options), ("hosts", hosts), ("values", values)) if rows)
    empty = "".join(f"  local -A {name}=()\n" for name, rows in (("hosts", hosts), ("values", values)) if not rows)
    return f"""# {HEAD}
{_function(program)}() {{
{tables}
{empty}  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} path={program} word index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; ++index)); do
    word=${{COMP_WORDS[index]}}
    if [[ $word == -- ]]; then  # behind it stands the command line of a server
      ((index + 1 == COMP_CWORD)) && mapfile -t COMPREPLY < <(compgen -c -- "$current")
      return
    fi
    [[ " ${{words[$path]-}} " == *" $word "* ]] && path+=" $word"
  done
  if [[ $before == = ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  elif [[ $current == = ]]; then
    current=
  fi
  if [[ -n ${{values["$path $before"]+known}} ]]; then  # nothing known: names of files, by the shell itself
    mapfile -t COMPREPLY < <(compgen -W "${{values["$path $before"]}}" -- "$current")
  elif [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "${{options[$path]-}}" -- "$current")
  else
    mapfile -t COMPREPLY < <(compgen -W "${{words[$path]-}} ${{hosts[$path]-}}" -- "$current")
  fi
}}
complete -o default -F {_function(program)} {program}
"""


def _zsh_pairs(pairs: list[tuple[str, str]]) -> str:
    return " ".join(_quoted(name.replace(":", "\\:") + (f":{summary}" if summary else "")) for name, summary in pairs)


def zsh(program: str, commands: list[Command], known: Known) -> str:
    cases = []
    for command in commands:
        options = [(name, one.summary) for one in command.options for name in one.names]
        words = list(command.words.items()) + ([(host, "") for host in known.hosts] if command.takes_host else [])
        values = _values(command, known)
        takes = "\n".join(f"        {name}) takes=1; choices=({' '.join(map(_quoted, some))}) ;;" for name, some in values.items())
        taken = f"\n      case $before in\n{takes}\n      esac" if takes else ""
        cases.append(f"    {_quoted(' '.join(command.path))})\n      option_list=({_zsh_pairs(options)})\n"
                     f"      word_list=({_zsh_pairs(words)}){taken}\n      ;;")
    paths = " ".join(_quoted(" ".join(command.path)) for command in commands)
    body = "\n".join(cases)
    return f"""#compdef {program}
# {HEAD}
{_function(program)}() {{
  local -a option_list word_list choices paths typed
  local program_path={program} before takes
  local -i index
  paths=({paths})
  typed=("${{(@)words[1,CURRENT - 1]}}")
  before=$typed[-1]
  for ((index = 2; index <= $#typed; ++index)); do
    if [[ $typed[index] == -- ]]; then  # behind it stands the command line of a server
      words=("${{(@)words[index + 1,-1]}}")
      (( CURRENT -= index ))
      _normal
      return
    fi
    (( $paths[(Ie)$program_path $typed[index]] )) && program_path+=" $typed[index]"
  done
  case $program_path in
{body}
  esac
  if [[ -n $takes ]]; then
    if (( $#choices )); then
      compadd -a choices
    else
      _files
    fi
  elif [[ $PREFIX == -* ]]; then
    _describe option option_list
  elif (( $#word_list )); then
    _describe word word_list
  else
    _files
  fi
}}
{_function(program)} "$@"
"""


def fish(program: str, commands: list[Command], known: Known) -> str:
    at = f"__{program.replace('-', '_')}_at"
    paths = " ".join(_quoted(" ".join(command.path)) for command in commands)
    lines = [f"# {HEAD}", f"function {at} --description 'Whether the words so far lead to this one'",
             f"  set -l paths {paths}", f"  set -l path {program}",
             "  for word in (commandline --tokenize --cut-at-cursor --current-process)[2..-1]",
             "    test $word = --; and return 1  # behind it stands the command line of a server",
             "    contains -- \"$path $word\" $paths; and set path \"$path $word\"", "  end",
             "  test \"$path\" = \"$argv[1]\"", "end"]
    for command in commands:
        begin = f"complete --command {program} --condition {_fish(at + ' ' + _fish(' '.join(command.path)))}"
        lines += [f"{begin} --no-files --arguments {word} --description {_fish(summary)}"
                  for word, summary in command.words.items()]
        if command.takes_host:
            lines.append(f"{begin} --no-files --arguments {_fish(' '.join(known.hosts))}")
        values = _values(command, known)
        for option in command.options:
            names = " ".join(f"--long-option {name[2:]}" if name.startswith("--") else f"--short-option {name[1:]}"
                             for name in option.names)
            taken = ""
            if option.value:
                some = values[option.names[-1]]
                taken = f" --require-parameter --no-files --arguments {_fish(' '.join(some))}" if some else \
                    " --require-parameter --force-files"
            said = f" --description {_fish(option.summary)}" if option.summary else ""
            lines.append(f"{begin} {names}{taken}{said}")
    return "\n".join(lines) + "\n"


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


# Where each shell looks for what packages bring, below share/.
PLACES = {"bash-completion/completions/{}": bash, "zsh/vendor-completions/_{}": zsh,
          "fish/vendor_completions.d/{}.fish": fish}


def write_completions(share: Path, commands: dict[str, list[Command]], known: Known) -> None:
    for program in commands:
        for place, form in PLACES.items():
            file = share / place.format(program)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(form(program, with_inner_programs(program, commands), known))
