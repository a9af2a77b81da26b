"""Many schemas and values: what the runtime's checks say of a value, and what the package jsonschema says of it."""

import unittest

from toolwire_runtime.schema import Schema

try:
    import jsonschema
except ImportError:
    jsonschema = None

TEXTS = ["", "a", "A", "ab", "abc", "aBc", "abcd", "b", "c", "x", "é", "😀", "😀😀", "1", "12", "1.5", "-3", "true", "null", "a b", " a ",
         "x-1", "x_1", "red", "RED", "green", "blue", "a@b.example", "https://a.example/x", "2026-01-02", "aGk=", "\t", "0", "00"]
NUMBERS = [0, 1, -1, 2, 3, 4, 5, 6, 9, 10, 11, 99, 100, 101, 0.5, 1.5, -0.25, 1.0, 1e3, 2**31, 2**53, 2**70, -(2**70), 0.1, 1e-9]
LISTS = [[], [1], [1, 2], [1, 1], [1, 1.0], [1, True], [0, False], [1, "a"], ["a"], ["a", "b"], ["a", "a"], ["a", 1], ["a", 1, True], [None], [[]],
         [[1], [2]], [{"a": 1}], [{"a": 1}, {"a": 1.0}], [{"a": 1}, {"a": "x"}], [True, False], [1, 2, 3, 4]]
OBJECTS = [{}, {"a": 1}, {"a": "x"}, {"a": "x", "b": 1}, {"a": "x", "b": "y"}, {"a": None}, {"a": "x", "c": True}, {"b": 1}, {"a": {"b": 1}},
           {"a": {"b": "x"}}, {"kind": "circle", "r": 1}, {"kind": "square", "side": 2}, {"kind": "square", "r": 1}, {"kind": "oval"}, {"x1": 1},
           {"x1": "one"}, {"name": "n", "children": []}, {"name": "n", "children": [{"name": "m", "children": []}]},
           {"name": "n", "children": [{"name": 1}]}, {"A": 1}, {"red": 1, "green": 2}, {"a/b": 1}, {"a~b": "x"}]
VALUES = [None, True, False, *TEXTS, *NUMBERS, *LISTS, *OBJECTS]

STRING, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
TREE = {"$ref": "#/$defs/tree",
        "$defs": {"tree": {"type": "object", "properties": {"name": STRING, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
                           "required": ["name", "children"]}}}
CIRCLE = {"type": "object", "properties": {"kind": {"const": "circle"}, "r": NUMBER}, "required": ["kind", "r"]}
SQUARE = {"type": "object", "properties": {"kind": {"const": "square"}, "side": NUMBER}, "required": ["kind", "side"]}

SCHEMAS = [
    {}, True, False, STRING, NUMBER, INTEGER, {"type": "boolean"}, {"type": "null"}, {"type": "array"}, {"type": "object"},
    {"type": ["string", "null"]}, {"type": ["integer", "array"]}, {"type": ["number", "boolean", "object"]},
    {"const": 1}, {"const": "a"}, {"const": None}, {"const": True}, {"const": [1, 1]}, {"const": {"a": 1}},
    {"enum": ["red", "green"]}, {"enum": [1, "a", None, True]}, {"enum": [[1, 2], {"a": "x"}]}, {"enum": [False]}, {"enum": [0]},
    {"minimum": 1}, {"maximum": 5}, {"exclusiveMinimum": 1, "exclusiveMaximum": 9}, {"type": "integer", "minimum": -1, "maximum": 5},
    {"multipleOf": 2}, {"multipleOf": 0.5}, {"minLength": 2}, {"maxLength": 1}, {"type": "string", "minLength": 1, "maxLength": 3},
    {"pattern": "^[a-c]+$"}, {"pattern": "a"}, {"pattern": "^x[-_]\\d$"}, {"pattern": "^(?!.*b)"}, {"type": "string", "pattern": "^(red|green)$"},
    {"items": NUMBER}, {"items": STRING, "minItems": 1}, {"maxItems": 1}, {"uniqueItems": True}, {"items": {"items": INTEGER}},
    {"prefixItems": [STRING, NUMBER]}, {"prefixItems": [STRING], "items": NUMBER}, {"prefixItems": [STRING], "items": False},
    {"contains": {"const": 1}}, {"contains": STRING, "minContains": 2}, {"contains": INTEGER, "maxContains": 1}, {"contains": False, "minContains": 0},
    {"properties": {"a": STRING}}, {"properties": {"a": STRING}, "required": ["a"]}, {"properties": {"a": STRING}, "additionalProperties": False},
    {"type": "object", "additionalProperties": NUMBER}, {"patternProperties": {"^x": NUMBER}, "additionalProperties": False},
    {"patternProperties": {"^[A-Z]$": INTEGER}}, {"propertyNames": {"maxLength": 1}}, {"minProperties": 1}, {"maxProperties": 1},
    {"required": ["a", "b"]}, {"dependentRequired": {"a": ["b"]}}, {"dependentSchemas": {"a": {"required": ["c"]}}},
    {"properties": {"a": {"properties": {"b": NUMBER}, "required": ["b"], "type": "object"}}}, {"properties": {"a/b": STRING, "a~b": NUMBER}},
    {"anyOf": [STRING, NUMBER]}, {"oneOf": [INTEGER, NUMBER]}, {"oneOf": [CIRCLE, SQUARE]}, {"anyOf": [CIRCLE, SQUARE]},
    {"allOf": [{"required": ["a"]}, {"properties": {"b": NUMBER}}]}, {"not": STRING}, {"not": {"required": ["a"]}},
    {"if": {"type": "string"}, "then": {"minLength": 2}, "else": {"type": "number"}}, {"if": {"required": ["a"]}, "then": {"required": ["b"]}},
    TREE, {"$ref": "#/$defs/a~1b", "$defs": {"a/b": STRING}}, {"$ref": "#/$defs/word", "minLength": 2, "$defs": {"word": STRING}},
]


@unittest.skipUnless(jsonschema, "the package jsonschema is not installed")
class CorpusTest(unittest.TestCase):
    def test_is_large_enough(self):
        self.assertGreaterEqual(len(SCHEMAS), 60)
        self.assertGreaterEqual(len(VALUES), 100)

    def test_finds_the_runtime_and_jsonschema_of_one_mind(self):
        disagreed = []
        for schema in SCHEMAS:
            ours, theirs = Schema(schema), jsonschema.Draft202012Validator(schema)
            for value in VALUES:
                fits = not ours.violations(value)
                if theirs.is_valid(value) != fits:
                    disagreed.append(f"{schema} {value!r}: the runtime {fits}")
        self.assertEqual(disagreed, [])
