"""What the scripts share that write tables from the Unicode Character Database (Debian: unicode-data)."""

import pathlib
import re
import sys

UNUSED_IS_77 = 77


def entries(path):
    """(first, last, value) for each line of a file of the database; code points are numbers."""
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) < 2 or " " in fields[0]:
            continue
        first, _, last = fields[0].partition("..")
        yield int(first, 16), int(last or first, 16), fields[1]


def having(path, *values):
    return {code for first, last, value in entries(path) if value in values for code in range(first, last + 1)}


def version_of(database):
    first = (database / "PropList.txt").read_text(encoding="utf-8").splitlines()[0]
    return re.search(r"-([0-9.]+)\.txt", first).group(1)


def wrapped(words, width):
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line


def run(table, table_text, arguments):
    """Writes `table`, or with --check compares it: 0 if it is what `table_text` makes of the database, 1 if it is not, 77
    if the database is not there or of another version than the one that the table names."""
    check = "--check" in arguments
    folders = [argument for argument in arguments if not argument.startswith("-")]
    if len(folders) != 1:
        sys.exit(f"usage: {pathlib.Path(sys.argv[0]).name} [--check] <folder of the Unicode Character Database>")
    database = pathlib.Path(folders[0])
    if not (database / "PropList.txt").is_file():
        print(f"{database} holds no Unicode Character Database")
        return UNUSED_IS_77 if check else 1
    if not check:
        table.write_text(table_text(database), encoding="utf-8")
        return 0
    committed = table.read_text(encoding="utf-8")
    if f"Database {version_of(database)};" not in committed:
        print(f"the table is of another version than {version_of(database)}")
        return UNUSED_IS_77
    if committed != table_text(database):
        print(f"{table.name} is not what this script makes of {database}; write it anew, without --check")
        return 1
    return 0
