"""The parts of the runtime that decide: schemas, permissions, adapter, results, loader."""

import io
import contextlib
import re
import unittest

from toolwire_runtime.adapter import Tool
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
