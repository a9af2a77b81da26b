#!/usr/bin/env python3
"""The documentation site, made of this repository: its links lead somewhere, what it shows of C++ is compiled, every job
has a page, and what it cannot be made of is told."""

import html.parser
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
SCRIPT = TOP / "framework/docs/site/build_site.py"
sys.path.insert(0, str(SCRIPT.parent))

from site_parts import declarations as cpp  # noqa: E402
from site_parts.sections import Library, Mistake, Page, compose_guide  # noqa: E402

JOBS = ["first-server", "tools", "engine", "testing", "errors", "resources", "prompts", "asking", "tasks", "bridge", "daemon", "http",
        "cluster", "runtimes", "conformance", "hosts", "security", "comparison"]


class Read(html.parser.HTMLParser):
    """What a page has of anchors and addresses."""

    def __init__(self, text: str):
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids += [given["id"]] if "id" in given else []
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in ("link", "script", "img", "iframe"):
            self.loaded.append(given.get("href") or given.get("src") or "")


def built(folder: Path) -> Path:
    run = subprocess.run([sys.executable, "-B", SCRIPT, "--out", folder / "site"], capture_output=True, text=True)
    if run.returncode != 0:
        raise AssertionError(f"the site was not made: {run.stderr}")
    return folder / "site"


def without_space(code: str) -> str:
    """Code as it is compared: no comments, no blanks, and no includes, which stand elsewhere in a program."""
    code = re.sub(r"(?m)^#include .*$", "", code)
    return re.sub(r"\s+", "", re.sub(r"(?m)(^|\s)//.*$", "", code))


def compiled_code() -> list[str]:
    folders = ["framework", "bridge", "servers", "tests"]
    files = [file for folder in folders for ending in ("cpp", "hpp") for file in (TOP / folder).rglob(f"*.{ending}")
             if "templates" not in file.parts and "node_modules" not in file.parts and "compile_fail" not in file.parts]
    return [without_space(file.read_text(encoding="utf-8")) for file in files]


class TheSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.site = built(Path(cls.folder.name))
        cls.pages = {file: Read(file.read_text(encoding="utf-8")) for file in cls.site.rglob("*.html")}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def lead(self, file: Path, link: str) -> str:
        """What is wrong with a link, or ""."""
        path, _, anchor = link.partition("#")
        target = (file.parent / path).resolve() if path else file
        if not target.is_file():
            return f"{file.relative_to(self.site)} leads to {link}, which is not there"
        if anchor and target.suffix == ".html" and anchor not in self.pages[target].ids:
            return f"{file.relative_to(self.site)} leads to {link}, which has no such part"
        return ""

    def test_links_and_anchors_lead_somewhere(self):
        links = [(file, link) for file, page in self.pages.items() for link in page.links if not re.match(r"[a-z]+:", link)]
        wrong = sorted({problem for file, link in links if (problem := self.lead(file, link))})
        self.assertEqual(wrong, [])
        self.assertGreater(len(links), 5000)

    def test_an_anchor_stands_once(self):
        wrong = [f"{file.name}: {one}" for file, page in self.pages.items() for one in set(page.ids) if page.ids.count(one) > 1]
        self.assertEqual(wrong, [])

    def test_nothing_is_loaded_from_elsewhere(self):
        for file, page in self.pages.items():
            for address in page.loaded:
                self.assertEqual(self.lead(file, address), "", file)
        for asset in (self.site / "assets").glob("*.css"):
            self.assertNotRegex(asset.read_text(), r"url\(|@import", asset)

    def test_every_block_of_cpp_is_compiled(self):
        known, count = compiled_code(), 0
        for page in self.site.glob("**/*.md"):
            if page.parent.name == "reference":  # made of the headers themselves
                continue
            for block in re.findall(r"```cpp\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
                code = without_space(block)
                self.assertTrue(any(code in one for one in known), f"{page.relative_to(self.site)} shows what is compiled nowhere:\n{block}")
                count += 1
        self.assertGreater(count, 60)

    def test_there_is_a_page_for_each_job(self):
        for job in JOBS:
            text = (self.site / f"{job}.html").read_text(encoding="utf-8")
            words = re.sub(r"<[^>]*>", " ", text.split("<main")[1].split("<footer")[0]).split()
            self.assertIn("<h1", text, job)
            self.assertGreater(len(words), 80, job)

    def test_llms_txt_has_the_form_and_all_pages(self):
        text = (self.site / "llms.txt").read_text(encoding="utf-8")
        self.assertRegex(text, r"\A# toolwire\n\n> .+\n\n## ")
        lines = [line for line in text.splitlines()[3:] if line and not line.startswith("## ")]
        for line in lines:
            link = re.fullmatch(r"- \[[^\]]+\]\(([^)]+)\)(: .+)?", line)
            self.assertTrue(link and (self.site / link[1]).is_file(), line)
        for job in JOBS:
            self.assertIn(f"({job}.md)", text)

    def test_links_in_pages_for_models_lead_somewhere(self):
        for page in self.site.glob("**/*.md"):
            prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.S)
            for link in re.findall(r"\]\(([^)\s]+)\)", prose):
                if not re.match(r"[a-z]+:", link):
                    path = link.split("#")[0]
                    self.assertTrue(not path or (page.parent / path).is_file(), f"{page.relative_to(self.site)} leads to {link}")

    def test_what_is_searched_leads_to_where_it_stands(self):
        text = (self.site / "assets/words.js").read_text(encoding="utf-8")
        words = json.loads(text.removeprefix("window.toolwireWords = ").removesuffix(";\n"))
        self.assertEqual([problem for one in words if (problem := self.lead(self.site / "index.html", one["u"]))], [])
        of_errors = [one["u"] for one in words if "unknown_outcome" in one["x"]]
        self.assertTrue(any(address.startswith("errors.html#") for address in of_errors), of_errors)
        self.assertTrue(any(one["t"] == "ToolError" and one["u"].startswith("reference/") for one in words))

    def test_every_public_type_is_in_the_reference(self):
        count = 0
        for header in TOP.glob("framework/include/toolwire/*.hpp"):
            text = re.sub(r"(?s)namespace detail \{.*?\}  // namespace detail", "", header.read_text(encoding="utf-8"))
            names = re.findall(r"(?m)^(?:class|struct|enum class) (\w+)(?: : [^;]*)? \{", text)
            page = self.pages[self.site / "reference" / f"{header.stem}.html"]
            for name in names:
                self.assertIn(name, page.ids, header)
                count += 1
        self.assertGreater(count, 80)

    def test_twice_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            again = built(Path(folder))
            first, second = ({file.relative_to(site): file.read_bytes() for file in site.rglob("*") if file.is_file()}
                             for site in (self.site, again))
            self.assertEqual(first.keys(), second.keys())
            self.assertEqual([str(file) for file in first if first[file] != second[file]], [])


class Mistakes(unittest.TestCase):
    def composed(self, text: str, other: str = "# Other\n\n## Part\n\nHere\n") -> Page:
        with tempfile.TemporaryDirectory() as folder:
            top = Path(folder).resolve()
            (top / "page.md").write_text(text)
            (top / "other.md").write_text(other)
            page = Page("page.html", "Page", "Group")
            compose_guide(Library(top), page, Path("page.md"))
            return page

    def test_a_paragraph_that_is_a_link_becomes_what_it_leads_to(self):
        page = self.composed("# Page\n\nWords\n\n[Shown](other.md#part)\n\nAfter\n")
        self.assertEqual([(one.level, one.title, one.section.text.strip()) for one in page.placed],
                         [(1, "Page", "Words"), (2, "Shown", "Here"), (0, "Page", "After")])

    def test_a_link_in_a_sentence_or_in_code_stays(self):
        page = self.composed("# Page\n\nSee [it](other.md#part).\n\n```\n[Shown](other.md#part)\n```\n")
        self.assertEqual(len(page.placed), 1)

    def test_what_is_not_there_is_told(self):
        for link, words in (("gone.md#part", "leads to nothing"), ("other.md#gone", "no heading #gone")):
            with self.assertRaisesRegex(Mistake, words):
                self.composed(f"# Page\n\n[Shown]({link})\n")

    def test_a_folder_that_is_no_site_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = Path(folder) / "notes.txt"
            kept.write_text("mine")
            run = subprocess.run([sys.executable, "-B", SCRIPT, "--out", folder], capture_output=True, text=True)
            self.assertEqual(run.returncode, 1)
            self.assertIn("expected a folder that may be replaced", run.stderr)
            self.assertEqual(kept.read_text(), "mine")


class Headers(unittest.TestCase):
    def test_declarations_are_read_with_their_words(self):
        found = cpp.declarations("""
/// A thing.
class Thing : public Base {
 public:
  /// Makes it.
  explicit Thing(std::string name, Options options = {}) : name_{std::move(name)}, options_(options) {}
  Thing(const Thing&) = delete;
  std::function<bool(const Peer&)> admits = {};  // whom
  template <class F>
  void each(F function) const {
    for (int i = 0; i < 3; ++i) function("};");
  }

 private:
  int hidden = 0;
};
enum class Kind { one, two };  // of things
template <class T>
concept Described = requires { T::describe(); };
""")
        self.assertEqual([(one.kind, one.name) for one in found], [("type", "Thing"), ("enum", "Kind"), ("alias", "Described")])
        members = found[0].members
        self.assertEqual([cpp.signature(one) for one in members],
                         ["explicit Thing(std::string name, Options options = {});", "std::function<bool(const Peer&)> admits = {};",
                          "template <class F>\nvoid each(F function) const;"])
        self.assertEqual([one.kind for one in members], ["function", "variable", "function"])
        self.assertEqual((found[0].docs, members[0].docs, members[1].notes), (" A thing.", " Makes it.", "whom"))


if __name__ == "__main__":
    unittest.main()
