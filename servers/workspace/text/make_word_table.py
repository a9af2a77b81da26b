#!/usr/bin/env python3
"""Writes word_table.hpp, the characters of \\w, \\d and \\s, from the Unicode Character Database.

They are as ripgrep 13 has them (UTS #18, annex C), so as Unicode 14 did: characters that came later are left out.
Renewing it, where Debian's package unicode-data is installed:

    python3 servers/workspace/text/make_word_table.py /usr/share/unicode

With --check nothing is written; the exit code is 0 if the file is what would be written, 1 if it is not, and 77 if the
database is not there or of another version.
"""

import pathlib
import re
import sys

TABLE = pathlib.Path(__file__).with_name("word_table.hpp")
NEWEST = (14, 0)
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


def known(database):
    return {code for first, last, value in entries(database / "DerivedAge.txt")
            if tuple(map(int, value.split("."))) <= NEWEST for code in range(first, last + 1)}


def tables(database):
    category = database / "extracted" / "DerivedGeneralCategory.txt"
    properties = database / "PropList.txt"
    words = having(database / "DerivedCoreProperties.txt", "Alphabetic") | having(properties, "Join_Control")
    words |= having(category, "Mn", "Mc", "Me", "Nd", "Pc")
    age = known(database)
    return {"word_ranges": words & age, "digit_ranges": having(category, "Nd") & age,
            "space_ranges": having(properties, "White_Space") & age}


def ranges_of(codes):
    ranges = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


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


def table_text(database):
    parts = []
    for name, codes in tables(database).items():
        rows = [f"{{0x{first:04X}, 0x{last:04X}}}," for first, last in ranges_of(codes)]
        lines = "\n".join("  " + line for line in wrapped(rows, 116))
        parts.append(f"inline constexpr std::array<CodeRange, {len(rows)}> {name}{{{{\n{lines}\n}}}};\n")
    return f"""// Written by make_word_table.py from the Unicode Character Database {version_of(database)}; renew it there, never by hand.
#pragma once

#include <array>

// clang-format off: as it was written
namespace workspace {{

struct CodeRange {{
  char32_t first, last;
}};

{chr(10).join(parts)}
}}  // namespace workspace
"""


def main(arguments):
    check = "--check" in arguments
    folders = [argument for argument in arguments if not argument.startswith("-")]
    if len(folders) != 1:
        sys.exit("usage: make_word_table.py [--check] <folder of the Unicode Character Database>")
    database = pathlib.Path(folders[0])
    if not (database / "PropList.txt").is_file():
        print(f"{database} holds no Unicode Character Database")
        return UNUSED_IS_77 if check else 1
    if not check:
        TABLE.write_text(table_text(database), encoding="utf-8")
        return 0
    committed = TABLE.read_text(encoding="utf-8")
    if f"Database {version_of(database)};" not in committed:
        print(f"the table is of another version than {version_of(database)}")
        return UNUSED_IS_77
    if committed != table_text(database):
        print(f"{TABLE.name} is not what this script makes of {database}; write it anew, without --check")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
