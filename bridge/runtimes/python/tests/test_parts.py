"""The parts of the runtime that decide: schemas, permissions, adapter, results, loader."""

import io
import contextlib
import dataclasses
import datetime
import enum
import functools
import os
import re
import sys
import unittest
from typing import Annotated, List, Optional, Union

from toolwire_runtime.adapter import Tool
from toolwire_runtime.context import Context
from toolwire_runtime.patterns import UnknownPattern, compiled
from toolwire_runtime.permissions import missing, read_permissions
from toolwire_runtime.registry import Registry
from toolwire_runtime.result import Result, ResultWriter, text_of
from toolwire_runtime.schema import Schema
from toolwire_runtime.streams import Input
from toolwire_runtime.wire import Failure

from .harness import Directory, tool_file


class SchemaTest(unittest.TestCase):
    def refused(self, schema, value):
        return [violation.path for violation in Schema(schema).violations(value)]

    def test_each_keyword_takes_what_fits_and_refuses_what_does_not(self):
        for schema, fits, does_not in (
            ({"type": "integer"}, [1, 1.0, 2**70], [1.5, True, "1", None]),
            ({"type": "number"}, [1, 1.5], [True, "1"]),
            ({"type": ["string", "null"]}, ["", None], [0, []]),
            ({"enum": [1, "a", {"b": [2]}]}, [1.0, "a", {"b": [2]}], [True, "b", {}]),
            ({"const": True}, [True], [1]),
            ({"minimum": 1, "exclusiveMaximum": 3}, [1, 2.9, "text"], [0, 3]),
            ({"multipleOf": 0.5}, [1, 1.5], [1.2]),
            ({"minLength": 2, "maxLength": 3}, ["ab", "😀😀"], ["a", "abcd"]),
            ({"pattern": "^a+$"}, ["aa"], ["b"]),
            ({"items": {"type": "string"}, "minItems": 1}, [["a"]], [[], [1]]),
            ({"prefixItems": [{"type": "string"}], "items": False}, [[], ["a"]], [["a", 1], [1]]),
            ({"items": [{"type": "string"}], "additionalItems": {"type": "null"}}, [["a", None]], [["a", 1]]),
            ({"contains": {"const": 1}, "maxContains": 2}, [[1, 2], [1, 1]], [[], [2], [1, 1, 1]]),
            ({"uniqueItems": True}, [[1, 2, True]], [[1, 1.0], [{"a": 1}, {"a": 1}]]),
            ({"required": ["a"]}, [{"a": None}, []], [{}]),
            ({"properties": {"a": {"type": "null"}}, "additionalProperties": False}, [{}, {"a": None}], [{"b": 1}]),
            ({"patternProperties": {"^n_": {"type": "number"}}, "additionalProperties": {"type": "string"}},
             [{"n_a": 1, "b": "c"}], [{"n_a": "1"}, {"b": 1}]),
            ({"propertyNames": {"maxLength": 1}, "maxProperties": 1}, [{"a": 1}], [{"ab": 1}, {"a": 1, "b": 2}]),
            ({"anyOf": [{"type": "string"}, {"minimum": 5}]}, ["a", 5], [4]),
            ({"oneOf": [{"type": "integer"}, {"minimum": 5}]}, [1, 5.5], [5, 4.5]),
            ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, [1, 2], [0, 3]),
            ({"not": {"type": "string"}}, [1], ["a"]),
            ({"if": {"type": "string"}, "then": {"minLength": 1}, "else": {"minimum": 0}}, ["a", 0], ["", -1]),
            ({"dependentRequired": {"a": ["b"]}}, [{}, {"a": 1, "b": 2}], [{"a": 1}]),
            (False, [], [None]),
        ):
            for value in fits:
                self.assertEqual(self.refused(schema, value), [], (schema, value))
            for value in does_not:
                self.assertNotEqual(self.refused(schema, value), [], (schema, value))

    def test_what_fits_plainly_fits(self):
        text, count = {"type": "string", "description": "d"}, {"type": "integer", "default": 1}
        plain = {"type": "object", "properties": {"a": text, "n": count}, "required": ["a"], "additionalProperties": False}
        fits = Schema(plain).fits_plainly()
        for value in ({"a": ""}, {"a": "x", "n": 1}):
            self.assertTrue(fits(value), value)
        for value in ({}, {"a": 1}, {"a": "x", "n": True}, {"a": "x", "n": 1.0}, {"a": "x", "b": 1}):
            self.assertFalse(fits(value), value)
        for more in ({"minProperties": 1}, {"additionalProperties": True}, {"properties": {"a": {"minLength": 1}}},
                     {"properties": {"a": True}}, {"properties": {"a": {"type": "string", "enum": ["x"]}}}):
            self.assertIsNone(Schema({**plain, **more}).fits_plainly(), more)

    def test_references_may_go_in_circles(self):
        tree = {"$ref": "#/$defs/n", "$defs": {"n": {"type": "object", "properties": {"next": {"$ref": "#/$defs/n"}}}}}
        self.assertEqual(self.refused(tree, {"next": {"next": {}}}), [])
        self.assertEqual(self.refused(tree, {"next": {"next": 1}}), ["/next/next"])

    def test_every_violation_is_told_with_its_place(self):
        schema = {"properties": {"a/b": {"type": "string"}, "l": {"items": {"minimum": 1}}}, "required": ["x"]}
        self.assertEqual(sorted(self.refused(schema, {"a/b": 1, "l": [1, 0]})), ["/a~1b", "/l/1", "/x"])

    def test_a_pattern_that_the_engine_cannot_run_is_left_out_and_named(self):
        greek = {"type": "string", "pattern": r"^\p{Script=Greek}+$", "minLength": 2}
        schema = {
            "properties": {"a/b": greek, "default": {"pattern": "(?<=a+)b"}, "fine": {"pattern": r"(?=a)\p{L}"}},
            "patternProperties": {r"\p{Emoji}": {"type": "number"}},
            "additionalProperties": False,
        }
        compiled = Schema(schema)
        self.assertEqual(
            compiled.unchecked,
            [r"/patternProperties/\p{Emoji}", "/properties/a~1b/pattern", "/properties/default/pattern"],
        )
        self.assertEqual(compiled.violations({"a/b": "latin", "default": "x", "other": "who knows"}), [])
        self.assertEqual([one.path for one in compiled.violations({"a/b": "x", "fine": "1"})], ["/a~1b", "/fine"])

    def test_what_is_no_schema_is_refused(self):
        for schema in (1, {"type": "text"}, {"properties": 1}, {"pattern": "("}, {"$ref": "other.json"},
                       {"$ref": "#/none"}, {"minimum": "1"}, {"allOf": [3]}):
            with self.assertRaises(ValueError):
                Schema(schema)


class PatternsTest(unittest.TestCase):
    def test_patterns_mean_what_they_mean_in_ecmascript(self):
        for pattern, fits, does_not in (
            (r"^\p{L}+$", ["é", "Ω", "a"], ["1", "a1", ""]),
            (r"^[\p{Lu}\d_-]+$", ["Ä1_-"], ["ä"]),
            (r"^\P{L}$", ["1"], ["é"]),
            (r"^[^\P{L}x]$", ["é", "a"], ["x", "1"]),
            (r"^\p{General_Category=Decimal_Number}$", ["٣"], ["a"]),
            (r"^\d+$", ["12"], ["٣"]),
            (r"^\w$", ["a", "_"], ["é"]),
            (r"^\s$", [" ", "\u00a0", "\ufeff", "\u2028"], ["\x1c", "a"]),
            (r"^[\S]$", ["\x1c"], ["\u00a0"]),
            (r"^a$", ["a"], ["a\n"]),
            (r"^.$", ["\x85", "😀"], ["\n", "\u2028"]),
            (r"^(?!.*secret).*$", ["public"], ["a secret"]),
            (r"^(?<q>['\"]).*\k<q>$", ["'a'", '"a"'], ["'a\""]),
            (r"^(?:(a)|b)\1$", ["aa", "b"], ["ab", "ba"]),
            (r"(?<!\$)\b5", ["x 5"], ["$5"]),
            (r"^\u{1F600}\uD83D\uDE00\x41\u0042\cJ$", ["😀😀AB\n"], ["😀AB\n"]),
            (r"^[[&&~|]$", ["[", "&", "~", "|"], ["]", "a"]),
            (r"^[\w-]$", ["-", "a"], ["."]),
            (r"^[a\-c]$", ["-", "c"], ["b"]),
            (r"^[^]$", ["\n", "a"], ["", "ab"]),
            (r"[]", [], ["", "a"]),
            (r"^a{,3}$", ["a{,3}"], ["aa"]),
            (r"^\/\.\0$", ["/.\0"], ["/x\0"]),
            (r"^[\b]$", ["\b"], ["b"]),
        ):
            for value in fits:
                self.assertTrue(compiled(pattern).search(value), (pattern, value))
            for value in does_not:
                self.assertFalse(compiled(pattern).search(value), (pattern, value))

    def test_what_only_python_cannot_run_is_told_apart_from_what_is_no_pattern(self):
        for pattern in (r"(?<=a+)b", r"\p{Script=Greek}", r"\1(a)", r"(?<$x>a)"):
            with self.assertRaises(UnknownPattern, msg=pattern):
                compiled(pattern)
        for pattern in ("(", "[b-a]", "[a", "*", "a\\", r"\y", r"\u{110000}"):
            with self.assertRaises(re.error, msg=pattern):
                compiled(pattern)


class DefaultsTest(unittest.TestCase):
    def test_defaults_are_filled_in_at_any_depth_and_nothing_else_changes(self):
        options = {"type": "object", "properties": {"depth": {"type": "integer", "default": 2}, "name": {}}}
        schema = {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "tags": {"type": "array", "default": []},
                "options": {"$ref": "#/$defs/o"},
                "many": {"type": "array", "items": {"$ref": "#/$defs/o"}},
            },
            "$defs": {"o": options},
        }
        given = {"text": "a", "options": {"name": 1}, "many": [{}, {"depth": 5}]}
        tool = Tool({"name": "t", "input_schema": schema}, lambda **all: all)
        made = tool.call(given, None)
        self.assertEqual(
            made,
            {"text": "a", "tags": [], "options": {"name": 1, "depth": 2}, "many": [{"depth": 2}, {"depth": 5}]},
        )
        self.assertEqual(given, {"text": "a", "options": {"name": 1}, "many": [{}, {"depth": 5}]})
        made["tags"].append(1)
        self.assertEqual(tool.call({}, None), {"tags": []})

    def test_a_single_formal_parameter_gets_its_default(self):
        schema = {"type": "object", "properties": {"count": {"type": "integer", "default": 3}}}
        self.assertEqual(Tool({"name": "t", "input_schema": schema}, lambda count: count).call({}, None), 3)


    def test_schemas_that_lead_into_themselves_many_times_have_defaults(self):
        members = {f"next{i}": {"$ref": "#/$defs/node"} for i in range(20)}
        node = {"type": "object", "properties": {**members, "depth": {"default": 1}}}
        schema = {"type": "object", "properties": {"node": {"$ref": "#/$defs/node"}}, "$defs": {"node": node}}
        tool = Tool({"name": "t", "input_schema": schema}, lambda node: node)
        self.assertEqual(tool.call({"node": {"next7": {}}}, None), {"depth": 1, "next7": {"depth": 1}})


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


@dataclasses.dataclass
class Box:
    size: Size
    made: datetime.date = datetime.date(2026, 1, 1)


@dataclasses.dataclass
class Crate:
    size: Size
    below: List["Crate"] = dataclasses.field(default_factory=list)


def pack(boxes: List[Box], when: Optional[datetime.datetime] = None, *, ctx: Context, note: Annotated[str, "For whom"] = "-"):
    """Packs boxes.

    All of them at once.

    Args:
        boxes: what to pack, in
            this order
        when (datetime): not before
        note: ignored
    """
    return boxes, when, note


class SignatureTest(unittest.TestCase):
    def test_a_tool_without_a_schema_has_that_of_its_signature(self):
        tool = Tool({"name": "pack"}, pack)
        self.assertEqual(tool.description, "Packs boxes.\n\nAll of them at once.")
        members = tool.schema["properties"]
        self.assertEqual(list(members), ["boxes", "when", "note"])
        self.assertEqual(members["boxes"]["description"], "what to pack, in this order")
        self.assertEqual(members["note"], {"type": "string", "description": "For whom", "default": "-"})
        self.assertEqual(tool.schema["required"], ["boxes"])
        self.assertFalse(tool.schema["additionalProperties"])

    def test_its_function_gets_what_the_hints_name(self):
        class OneCall:
            context = None

        tool = Tool({"name": "pack"}, pack)
        given = {"boxes": [{"size": "small", "made": "2026-02-03"}, {"size": "large"}], "when": "2026-01-02T03:04:05Z"}
        tool.check(given)
        boxes, when, note = tool.call(given, OneCall)
        self.assertEqual(boxes, [Box(Size.SMALL, datetime.date(2026, 2, 3)), Box(Size.LARGE)])
        self.assertEqual(when, datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc))
        self.assertEqual(note, "-")
        for wrong in ({"boxes": [{"size": "huge"}]}, {"boxes": [], "when": "later"}, {}):
            with self.assertRaises(Failure) as refused:
                tool.check(wrong)
                tool.call(wrong, OneCall)
            self.assertEqual(refused.exception.code, -32602, wrong)

    def test_dataclasses_lead_into_themselves_and_stand_beside_other_types(self):
        def stack(crate: Union[Crate, int], count: int = 1):
            return crate

        tool = Tool({"name": "stack"}, stack)
        given = {"crate": {"size": "small", "below": [{"size": "large"}]}}
        tool.check(given)
        self.assertEqual(tool.call(given, None), Crate(Size.SMALL, [Crate(Size.LARGE)]))
        self.assertEqual(tool.call({"crate": 5}, None), 5)

    def test_partial_functions_and_objects_that_can_be_called_have_signatures(self):
        class Adder:
            def __call__(self, a: int, b: int):
                return a + b

        for function in (functools.partial(Adder().__call__, b=2), Adder()):
            tool = Tool({"name": "add"}, function)
            self.assertEqual(tool.schema["properties"]["a"], {"type": "integer"})
            self.assertEqual(tool.call({"a": 1, "b": 2}, None), 3)

    def test_a_docstring_loses_only_what_the_schema_says(self):
        def drop(name: str, force: bool = False):
            """Drops a table.

            Args:
                name: of the table

                    in full
                force: at once

            Note:
                It cannot be undone.

            Returns:
                nothing
            """

        self.assertEqual(Tool({"name": "drop"}, drop).description, "Drops a table.\n\nNote:\n    It cannot be undone.")
        stated = Tool({"name": "drop", "input_schema": {"type": "object"}}, drop)
        self.assertIn("name: of the table", stated.description)

    def test_fields_of_a_docstring_describe_as_well(self):
        def look(path: str, depth: int = 1):
            """Looks.

            :param path: where to
              look
            :param int depth: how deep
            :returns: what is there
            """

        tool = Tool({"name": "look"}, look)
        self.assertEqual(tool.description, "Looks.")
        self.assertEqual(tool.schema["properties"]["path"]["description"], "where to look")
        self.assertEqual(tool.schema["properties"]["depth"], {"type": "integer", "default": 1, "description": "how deep"})

    def test_one_formal_parameter_without_a_hint_gets_whatever_comes(self):
        tool = Tool({"name": "t"}, lambda given: given)
        self.assertEqual(tool.schema, {"type": "object"})
        self.assertEqual(tool.call({"a": 1}, None), {"a": 1})

    def test_a_hint_without_a_schema_is_an_error_that_says_what_to_do(self):
        def odd(value: complex):
            return value

        with self.assertRaisesRegex(ValueError, "complex.*has no JSON Schema.*or state an input_schema"):
            Tool({"name": "t"}, odd)

    def test_models_of_pydantic_are_taken_where_it_is_installed(self):
        try:
            import pydantic
        except ImportError:
            self.skipTest("pydantic is not installed")

        class Leaf(pydantic.BaseModel):
            weight: int = pydantic.Field(gt=0)

        class Tree(pydantic.BaseModel):
            leaves: List[Leaf] = []

        def grow(tree):
            return tree

        grow.__annotations__ = {"tree": Tree}
        tool = Tool({"name": "grow"}, grow)
        self.assertEqual(tool.schema["$defs"]["Leaf"]["properties"]["weight"]["exclusiveMinimum"], 0)
        given = {"tree": {"leaves": [{"weight": 1}]}}
        tool.check(given)
        self.assertEqual(tool.call(given, None), Tree(leaves=[Leaf(weight=1)]))
        with self.assertRaises(Failure) as refused:
            tool.call({"tree": {"leaves": [{"weight": 0}]}}, None)
        self.assertEqual(refused.exception.code, -32602)
        self.assertEqual(refused.exception.data["violations"][0]["path"], "/tree/leaves/0/weight")


class PermissionsTest(unittest.TestCase):
    def lacking(self, declared, granted):
        return missing(read_permissions(declared), read_permissions(granted), "/tools")

    def test_what_is_granted_covers_what_is_below_it(self):
        for declared, granted in (
            ({}, {}),
            ({"read": ["data/a"]}, {"read": ["data"]}),
            ({"read": ["/tools/data"]}, {"write": ["data"]}),
            ({"read": ["/x/../tools"]}, {"read": ["/tools/"]}),
            ({"read": ["/any"]}, {"read": ["/"]}),
            ({"network": ["api.example.com:443"]}, {"network": ["api.example.com"]}),
            ({"network": ["api.example.com:443"]}, {"network": ["*.example.com"]}),
            ({"network": ["*"]}, {"network": ["*"]}),
            ({"environment": ["AWS_KEY"]}, {"environment": ["AWS_*"]}),
            ({"programs": ["git"]}, {"programs": ["*"]}),
        ):
            self.assertEqual(self.lacking(declared, granted), {}, (declared, granted))

    def test_nothing_else_is(self):
        for declared, granted in (
            ({"read": ["/tools/data2"]}, {"read": ["data"]}),
            ({"read": ["data/../.."]}, {"read": ["data"]}),
            ({"write": ["data"]}, {"read": ["data"]}),
            ({"network": ["*"]}, {"network": ["example.com"]}),
            ({"network": ["evil-example.com"]}, {"network": ["*.example.com"]}),
            ({"network": ["example.com"]}, {"network": ["example.com:443"]}),
            ({"environment": ["AWS"]}, {"environment": ["AWS_*"]}),
            ({"programs": ["/usr/bin/git"]}, {"programs": ["git"]}),
        ):
            self.assertEqual(self.lacking(declared, granted), declared, (declared, granted))

    def test_only_what_is_missing_is_told(self):
        self.assertEqual(self.lacking({"read": ["a", "b"]}, {"read": ["a"]}), {"read": ["b"]})

    def test_what_cannot_be_understood_is_refused(self):
        for given in ([], {"reed": ["a"]}, {"read": "a"}, {"read": [1]}, {"network": True}):
            with self.assertRaises(ValueError):
                read_permissions(given)


def call(function, parameters, schema=None):
    tool = Tool({"name": "t", "input_schema": schema or {"type": "object"}}, function)
    return tool.call(parameters, None)


class AdapterTest(unittest.TestCase):
    def test_one_formal_parameter_gets_its_member_else_the_whole_object(self):
        self.assertEqual(call(lambda text: text, {"text": "x", "more": 1}), "x")
        self.assertEqual(call(lambda params: params, {"text": "x"}), {"text": "x"})
        self.assertEqual(call(lambda *, params: params, {"text": "x"}), {"text": "x"})

    def test_several_get_keyword_arguments(self):
        self.assertEqual(call(lambda a, b=2: (a, b), {"a": 1}), (1, 2))
        self.assertEqual(call(lambda **given: given, {"a": 1}), {"a": 1})
        self.assertEqual(call(lambda: "none", {}), "none")

    def test_what_the_function_does_not_take_is_told_as_violations(self):
        for parameters, path in (({"a": 1}, "/b"), ({"a": 1, "b": 2, "c": 3}, "/c")):
            with self.assertRaises(Failure) as caught:
                call(lambda a, b: None, parameters)
            self.assertEqual(caught.exception.code, -32602)
            self.assertEqual([one["path"] for one in caught.exception.data["violations"]], [path])

    def test_what_cannot_be_a_tool_is_refused_by_name(self):
        for info, said in (
            (None, "a dict"), ({}, "a name"), ({"name": 1}, "name"), ({"name": "t", "input_schema": []}, "input_schema"),
            ({"name": "t", "input_schema": {"type": "text"}}, "input_schema"),
            ({"name": "t", "permissions": {"all": True}}, "permissions"),
        ):
            with self.assertRaisesRegex(ValueError, said):
                Tool(info, lambda: None)


class ContextTest(unittest.TestCase):
    def test_the_trace_of_a_call_is_header_fields(self):
        meta = {"traceparent": "00-a-b-01", "tracestate": "a=1", "baggage": 7, "other": "x"}
        self.assertEqual(Context({"meta": meta}).trace, {"traceparent": "00-a-b-01", "tracestate": "a=1"})
        self.assertEqual(Context({}).trace, {})


class ResultTest(unittest.TestCase):
    def written(self, value, is_structured=False):
        import json

        return json.loads(ResultWriter("t", is_structured).text(value, None))

    def test_texts_dicts_and_everything_else_become_output(self):
        title = {"title": "t"}
        for value, output, metadata, diagnostics in (
            ("x", "x", title, []),
            (None, "", title, []),
            (3.0, "3", title, []),
            (True, "true", title, []),
            ([1, "a"], '[1,"a"]', title, []),
            ({"a": 1}, '{"a":1}', title, []),
            ({"output": "o", "metadata": {"title": "mine", "n": 1}, "diagnostics": ["d"]}, "o",
             {"title": "mine", "n": 1}, ["d"]),
            ({"output": 5}, "5", title, []),
            (Result("r", {"k": "v"}), "r", {"title": "t", "k": "v"}, []),
        ):
            expected = {"output": output, "metadata": metadata, "diagnostics": diagnostics}
            self.assertEqual(self.written(value), expected, value)

    def test_a_structured_value_goes_out_as_it_is(self):
        self.assertEqual(self.written({"output": 1}, True)["structured"], {"output": 1})
        self.assertEqual(self.written([1], True)["output"], "[1]")

    def test_what_is_no_json_is_stringified_or_refused(self):
        self.assertEqual(text_of(float("nan")), "nan")
        with self.assertRaises(Failure):
            self.written(float("nan"), True)
        with self.assertRaises(Failure):
            self.written({"a": object()}, True)


class LoaderTest(unittest.TestCase):
    def registry(self, **files):
        directory = Directory({name + ".py": text for name, text in files.items()})
        self.addCleanup(directory.remove)
        return Registry(directory.path, None)

    def listed(self, registry):
        with contextlib.redirect_stderr(io.StringIO()):
            return registry.listed()

    def test_what_fails_is_left_out_and_reported(self):
        echo = "def tool_function(text):\n    return text\n"
        listed = self.listed(self.registry(
            good=tool_file("good", echo),
            twice=tool_file("good", echo),
            broken="this is no Python",
            leaving="import sys\nsys.exit(1)",
            half="def tool_function():\n    pass\n",
            shared="VALUE = 1\n",
            _hidden="raise ValueError('never loaded')",
        ))
        self.assertEqual([tool["id"] for tool in listed["tools"]], ["good"])
        self.assertEqual([problem["file"] for problem in listed["problems"]],
                         ["broken.py", "half.py", "leaving.py", "twice.py"])

    def test_a_tool_is_loaded_when_it_is_first_asked_for_and_others_are_not(self):
        registry = self.registry(
            one=tool_file("one", "def tool_function():\n    return 1\n"),
            two="raise ValueError('not yet')",
        )
        self.assertEqual(registry.find("one").id, "one")
        self.assertEqual(registry.problems, [])

    def test_a_tool_may_be_called_like_a_module_of_the_library_and_share_modules(self):
        registry = self.registry(
            statistics=tool_file("mean", "import statistics, shared_by_tools\n"
                                 "def tool_function(values):\n    return statistics.mean(values)\n"),
            shared_by_tools="",
        )
        self.assertEqual(registry.find("mean").call({"values": [1, 3]}, None), 2)

    def test_an_edit_counts_that_keeps_the_size_and_the_second(self):
        sys.dont_write_bytecode, before = False, sys.dont_write_bytecode
        self.addCleanup(setattr, sys, "dont_write_bytecode", before)
        written = {"word.py": "VALUE = '%s'", "say.py": tool_file(
            "say", "import word\ndef tool_function():\n    return '%s ' + word.VALUE\n")}
        directory = Directory({})
        self.addCleanup(directory.remove)
        for word in ("old", "new"):
            for name, text in written.items():
                path = os.path.join(directory.path, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text % ((word,) * text.count("%s")))
                os.utime(path, (1_700_000_000, 1_700_000_000))
            self.addCleanup(sys.modules.pop, "word", None)
            sys.modules.pop("word", None)
            self.assertEqual(Registry(directory.path, None).find("say").call({}, None), f"{word} {word}")

    def test_tools_need_what_the_user_has_not_granted(self):
        registry = self.registry(net=tool_file("net", "def tool_function():\n    pass\n",
                                               permissions={"network": ["example.com"]}))
        registry.grant({})
        with self.assertRaises(Failure) as caught:
            registry.find("net").check({})
        self.assertEqual(caught.exception.code, -32002)
        self.assertEqual(caught.exception.data["permissions"], {"network": ["example.com"]})
        registry.grant({"network": ["example.com"]})
        registry.find("net").check({})


class InputTest(unittest.TestCase):
    def test_lines_are_put_together_and_long_ones_told_apart(self):
        source = Input(-1, longest=10)
        self.assertEqual(source.lines(b"one\ntwo\nth"), [b"one", b"two"])
        self.assertEqual(source.lines(b"ree\n"), [b"three"])
        self.assertEqual(source.lines(b"x" * 8), [])
        self.assertEqual(source.lines(b"y" * 8), [])
        self.assertEqual(source.lines(b"y\nnext\n"), [None, b"next"])


if __name__ == "__main__":
    unittest.main()
