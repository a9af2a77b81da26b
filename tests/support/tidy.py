#!/usr/bin/env python3
"""Runs clang-tidy with the repository's .clang-tidy; ends with 1 when it finds something.

usage: tidy.py [--all] [--jobs N] [--minutes N] [--build FOLDER] [PATH...]

Without PATHs (files or folders) and without --all it judges what differs from the commit in TIDY_BASE, else from where the
branch left its upstream, else from the last commit that is a day older than HEAD: committed, uncommitted and new files. A
header is judged through one file that includes it. What is found elsewhere on the way is not shown. After --minutes
nothing more is begun; what was not judged is named. FOLDER holds compile_commands.json of the preset tidy.

Files of one folder that are compiled alike are judged together, as one text, because most of the time goes into the headers
of other libraries: tests each in a namespace of its own, below all headers. Where names collide they are judged apart.

A file that was found clean is left out until it, a header of this repository that it includes, its compiler command,
.clang-tidy or clang-tidy itself changes: FOLDER/clean has an empty file named by the hash of all of these. Comments do not
count, and headers of other libraries are not in the hash; remove FOLDER/clean after updating those.
"""
import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("framework/", "bridge/", "conformance/", "servers/", "tests/")
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', re.MULTILINE)
# A string, a character or a comment that ends with its line. NOLINT and clang-format comments are instructions.
TOKEN = re.compile(
    rb'R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|[ \t]*//(?![^\n]*(?:NOLINT|clang-format))[^\n]*', re.DOTALL)
BATCH = 12
TEST_BATCH = 40
ERROR = re.compile(r"^(/\S+?):\d+:\d+: (?:fatal )?error: ", re.MULTILINE)
FINDING = re.compile(r"^(/\S+?:\d+:\d+: (?:warning|error): .*\])$", re.MULTILINE)


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else None


def where_the_branch_began():
    """Where it left its upstream; without one, or where that is HEAD, the last commit that is a day older."""
    head = git("rev-parse", "HEAD")
    left = git("merge-base", "HEAD", "@{upstream}")
    if left and left != head:
        return left[0]
    seconds = int((git("log", "-1", "--format=%ct") or ["0"])[0])
    before = git("rev-list", "-1", f"--before={seconds - 86400}", "HEAD")
    return before[0] if before else "HEAD"


def changed_files():
    """Paths from the root, and what they were compared with."""
    base = os.environ.get("TIDY_BASE") or where_the_branch_began()
    changed = git("diff", "--name-only", "--diff-filter=d", base)
    if changed is None:
        sys.exit(f'tidy.py: git knows no commit "{base}" to compare with; set TIDY_BASE to one, or give --all')
    return set(changed) | set(git("ls-files", "--others", "--exclude-standard")), base


class Sources:
    """What the files of the compile data base include of this repository, read from the text: conditions are ignored."""

    def __init__(self, folder):
        self.commands = {}
        for entry in json.loads((folder / "compile_commands.json").read_text()):
            path = os.path.relpath(entry["file"], ROOT)
            if path.startswith(PARTS) and path.endswith(".cpp"):
                self.commands.setdefault(path, entry["command"])
        self.read = {}  # path: (hash of the content without comments, [(quoted, name)])

    def of(self, path):
        if path not in self.read:
            content = TOKEN.sub(lambda m: b"" if m[0].lstrip().startswith(b"//") else m[0], (ROOT / path).read_bytes())
            found = [(kind == b'"', name.decode()) for kind, name in INCLUDE.findall(content)]
            self.read[path] = hashlib.sha256(content).hexdigest(), found
        return self.read[path]

    def compiler(self, path):
        return shlex.split(self.commands[path])[0]

    def options(self, path):
        """Those of the compiler without input and output."""
        words = shlex.split(self.commands[path])[1:]
        for option in ("-o", "-c"):
            place = words.index(option)
            del words[place:place + 2]
        return words

    def folders(self, path):
        named = [option[2:] for option in self.options(path) if option.startswith("-I")]
        return tuple(os.path.relpath(folder, ROOT) for folder in named if folder.startswith(str(ROOT) + "/"))

    @functools.cache
    def included(self, path, folders):
        """The files of the repository that `path` itself includes."""
        found = []
        for quoted, name in self.of(path)[1]:
            for folder in ((os.path.dirname(path),) if quoted else ()) + folders:
                candidate = os.path.normpath(os.path.join(folder, name))
                if self.is_file(candidate):
                    found.append(candidate)
                    break
        return found

    @functools.cache
    def is_file(self, path):
        return os.path.isfile(ROOT / path)

    @functools.cache
    def closure(self, path):
        """`path` and every file of the repository that it includes, sorted."""
        folders, seen, open_paths = self.folders(path), {path}, [path]
        while open_paths:
            for candidate in self.included(open_paths.pop(), folders):
                if candidate not in seen:
                    seen.add(candidate)
                    open_paths.append(candidate)
        return sorted(seen)


def files_to_judge(changed, sources):
    """The changed .cpp files, and for each changed header one that includes it, by preference one that is judged anyway."""
    files = {path for path in changed if path in sources.commands}
    headers = {path for path in changed if path.endswith(".hpp") and path.startswith(PARTS)}
    if not headers:
        return files
    includes = {path: set(sources.closure(path)) for path in sources.commands}
    for path in files:
        headers -= includes[path]
    for header in sorted(headers):
        if any(header in includes[path] for path in files):
            continue
        stem = pathlib.Path(header).stem
        including = [path for path in includes if header in includes[path]]
        if including:
            files.add(min(including, key=lambda path: (pathlib.Path(path).stem != stem, len(includes[path]), path)))
    return files


def batches_of(paths, sources):
    alike = {}
    for path in paths:
        alike.setdefault((os.path.dirname(path), tuple(sources.options(path))), []).append(path)
    for group in alike.values():
        tests = [path for path in group if is_test(path)]
        others = [path for path in group if not is_test(path)]
        for some, size in ((tests, TEST_BATCH), (others, BATCH)):
            yield from (some[first:first + size] for first in range(0, len(some), size))


def is_test(path):
    return path.endswith("_test.cpp")


def headers_of(paths, sources):
    """What `paths` include, in their order."""
    lines = []
    for path in paths:
        for quoted, name in sources.of(path)[1]:
            beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
            if quoted and sources.is_file(beside):
                lines.append(f'#include "{ROOT / beside}"\n')
            else:
                lines.append(f'#include "{name}"\n' if quoted else f"#include <{name}>\n")
    return "".join(dict.fromkeys(lines))


def one_source(paths, sources, folder):
    """The file that stands for `paths`: itself, or a text that includes them all."""
    if len(paths) == 1:
        return ROOT / paths[0]
    if all(map(is_test, paths)):
        text = "#define BOOST_TEST_MODULE together\n" + headers_of(paths, sources) + "".join(
            f'#undef BOOST_TEST_MODULE\nnamespace tidy_{number} {{\n#include "{ROOT / path}"\n}}\n'
            for number, path in enumerate(paths))
    else:
        text = "".join(f'#include "{ROOT / path}"\n' for path in paths)
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".cpp")
    source.write_text(text)
    return source


def apart(paths, sources, folder):
    """`paths` in groups without two that use one name for different things."""
    while len(paths) > 1:
        source = one_source(paths, sources, folder)
        done = subprocess.run(
            [sources.compiler(paths[0]), *sources.options(paths[0]), "-w", "-ferror-limit=0", "-fsyntax-only", str(source)],
            capture_output=True, text=True, check=False)
        named = {os.path.relpath(name, ROOT) for name in ERROR.findall(done.stderr)}
        colliding = [path for path in paths if path in named]
        if not colliding:
            break
        if len(colliding) == len(paths):
            yield from ([path] for path in paths)
            return
        yield [path for path in paths if path not in named]
        paths = colliding
    yield paths


def judge(program, sources, batch, build):
    """Pairs of files and what clang-tidy says of them together."""
    results, groups = [], list(apart(batch, sources, build / "batches"))
    while groups:
        group = groups.pop()
        # What shadows a name of another file in the batch shadows nothing where it is compiled.
        done = subprocess.run(
            [program, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", "--warnings-as-errors=*",
             *(["--checks=-bugprone-suspicious-include"] if len(group) > 1 else []),
             str(one_source(group, sources, build / "batches")), "--", *sources.options(group[0]), "-Wno-shadow"],
            capture_output=True, text=True, check=False)
        if "[clang-diagnostic-error" in done.stdout and len(group) > 1:
            groups += [[path] for path in group]
        elif done.returncode != 0 and not FINDING.search(done.stdout):
            sys.exit(f"tidy.py: clang-tidy ended with {done.returncode} on {', '.join(group)}\n{done.stdout}{done.stderr}")
        else:
            results.append((group, done.stdout))
    return results


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/tidy")
    parser.add_argument("paths", nargs="*")
    arguments = parser.parse_args()

    program = shutil.which("clang-tidy-14")
    if not program:
        sys.exit("tidy.py: clang-tidy-14 is not installed; tests/support/install.sh sanitizers installs it")
    if not (arguments.build / "compile_commands.json").is_file():
        sys.exit(f"tidy.py: {arguments.build} has no compile_commands.json; cmake --preset tidy makes one")
    sources = Sources(arguments.build)
    if arguments.all:
        wanted, files, scope = None, set(sources.commands), "all files"
    elif arguments.paths:
        named = [os.path.relpath(os.path.abspath(path), ROOT) for path in arguments.paths]
        matching = {name: {path for path in git("ls-files", "--cached", "--others", "--exclude-standard", name) or []}
                    for name in named}
        for name, found in matching.items():
            if not found:
                sys.exit(f'tidy.py: "{name}" is no file or folder of the repository')
        wanted, scope = set().union(*matching.values()), ", ".join(named)
        files = files_to_judge(wanted, sources)
    else:
        wanted, base = changed_files()
        files, scope = files_to_judge(wanted, sources), f"files that differ from {base[:12]}"

    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    configuration = version + (ROOT / ".clang-tidy").read_text()
    clean = arguments.build / "clean"
    clean.mkdir(parents=True, exist_ok=True)

    def stamp(path):
        command = sources.commands[path].replace(str(ROOT), "")
        parts = [configuration, command] + [f"{name} {sources.of(name)[0]}" for name in sources.closure(path)]
        return clean / hashlib.sha256("\n".join(parts).encode()).hexdigest()

    stamps = {path: stamp(path) for path in files}
    stale = sorted(path for path in files if not stamps[path].exists())
    shown, left_out = set(), []
    end = time.monotonic() + arguments.minutes * 60

    def judge_in_time(batch):
        if time.monotonic() < end:
            return judge(program, sources, batch, arguments.build)
        left_out.extend(batch)
        return []

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = [pool.submit(judge_in_time, batch) for batch in batches_of(stale, sources)]
        for batch in concurrent.futures.as_completed(running):
            for paths, output in batch.result():
                pieces = FINDING.split(output)
                found_in = set()
                for line, rest in zip(pieces[1::2], pieces[2::2]):
                    line = line.replace(f"{ROOT}/", "", 1)
                    place = line.split(":", 1)[0]
                    found_in.add(place)
                    is_wanted = (place.startswith(PARTS) and (wanted is None or place in wanted) or
                                 "[clang-diagnostic-error" in line)
                    # One in a header comes from everything that includes it.
                    if line not in shown and is_wanted:
                        shown.add(line)
                        print(line + rest.rstrip("\n"), flush=True)
                for path in paths:
                    if found_in.isdisjoint(sources.closure(path)):
                        stamps[path].touch()

    if left_out:
        print(f"NOT judged, because {arguments.minutes:g} minutes were over: {', '.join(sorted(left_out))}")
    print(f"{len(shown) or 'no'} findings: {scope}, {len(stale) - len(left_out)} judged, "
          f"{len(files) - len(stale)} unchanged since clean, {len(left_out)} not judged")
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
