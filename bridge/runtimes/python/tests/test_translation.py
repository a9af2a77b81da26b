"""Type hints and JSON Schema: what becomes of what, and that nothing is lost on the way there and back."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import typing
import unittest
from typing import Annotated, Any, Dict, List, Literal, Optional, Tuple, TypedDict, Union

from toolwire_runtime.translation import register_type_handler, schema_of_function, schema_of_type, type_of_schema


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Node(TypedDict):
    name: str
    children: List["Node"]


class Loose(TypedDict, total=False):
    a: int


@dataclasses.dataclass
class Point:
    x: float
    y: float = 1.5
    tags: List[str] = dataclasses.field(default_factory=list)


class HintsTest(unittest.TestCase):
    def test_each_type_of_the_table(self):
        for hint, schema in (
            (str, {"type": "string"}),
            (float, {"type": "number"}),
            (int, {"type": "integer"}),
            (bool, {"type": "boolean"}),
            (None, {"type": "null"}),
            (List[int], {"type": "array", "items": {"type": "integer"}}),
            (list, {"type": "array"}),
            (Dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
            (Literal["a", 1], {"enum": ["a", 1]}),
            (Literal["a"], {"const": "a"}),
            (Optional[str], {"anyOf": [{"type": "string"}, {"type": "null"}]}),
            (Tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "items": False}),
            (Tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
            (Colour, {"enum": ["red", "blue"]}),
            (datetime.datetime, {"type": "string", "format": "date-time"}),
            (Annotated[int, {"minimum": 1}, "how many"], {"type": "integer", "minimum": 1, "description": "how many"}),
            (Any, {}),
        ):
            self.assertEqual(schema_of_type(hint), schema, hint)

    def test_records_stand_under_their_names_and_may_lead_back_to_themselves(self):
        self.assertEqual(
            schema_of_type(Node),
            {
                "$ref": "#/$defs/Node",
                "$defs": {
                    "Node": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
                        "required": ["name", "children"],
                    }
                },
            },
        )
        self.assertNotIn("required", schema_of_type(Loose)["$defs"]["Loose"])
        point = schema_of_type(Point)["$defs"]["Point"]
        self.assertEqual(point["required"], ["x"])
        self.assertEqual(point["properties"]["y"], {"type": "number", "default": 1.5})

    def test_a_signature_is_an_object(self):
        def function(text: str, count: Annotated[int, {"minimum": 1}] = 3, *, colour: Colour = Colour.RED, ctx=None):
            pass

        self.assertEqual(
            schema_of_function(function, left_out=("ctx",)),
            {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "count": {"type": "integer", "minimum": 1, "default": 3},
                    "colour": {"enum": ["red", "blue"], "default": "red"},
                },
                "required": ["text"],
                "additionalProperties": False,
            },
        )
        self.assertNotIn("additionalProperties", schema_of_function(lambda a, **more: None))

    def test_what_has_no_schema_is_refused_unless_somebody_gives_it_one(self):
        with self.assertRaises(ValueError):
            schema_of_type(List[complex])
        forget = register_type_handler(
            lambda hint: {"type": "string", "format": "complex"} if hint is complex else None,
            lambda schema: complex if schema.get("format") == "complex" else None,
        )
        self.assertEqual(schema_of_type(List[complex])["items"], {"type": "string", "format": "complex"})
        self.assertIs(typing.get_args(type_of_schema({"type": "string", "format": "complex"}))[0], complex)
        forget()


class SchemasTest(unittest.TestCase):
    SCHEMAS = (
        {"type": "string", "minLength": 1, "format": "email", "default": "a@b", "description": "D"},
        {"type": ["integer", "null"], "exclusiveMinimum": 0},
        {"const": {"a": 1}},
        {"enum": ["a", 1, None]},
        {"type": "array", "items": {"type": "number"}, "uniqueItems": True},
        {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/n"}], "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}}},
        {"if": {"type": "string"}, "then": {"minLength": 2}, "x-vendor": [1]},
    )

    def test_there_and_back_nothing_is_lost(self):
        for schema in self.SCHEMAS:
            self.assertEqual(schema_of_type(type_of_schema(schema)), schema)
        self.assertEqual(schema_of_type(List[type_of_schema(self.SCHEMAS[0])])["items"], self.SCHEMAS[0])

    def test_each_schema_has_its_hint(self):
        def hint(schema):
            return typing.get_args(type_of_schema(schema))[0]

        self.assertIs(hint(self.SCHEMAS[0]), str)
        self.assertEqual(hint(self.SCHEMAS[1]), Union[int, None])
        self.assertEqual(hint(self.SCHEMAS[3]), Literal["a", 1, None])
        self.assertEqual(hint(self.SCHEMAS[4]), List[float])
        record = hint({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]})
        self.assertEqual(typing.get_type_hints(record), {"a": str, "b": int})
        self.assertEqual((record.__required_keys__, record.__optional_keys__), ({"a"}, {"b"}))


if __name__ == "__main__":
    unittest.main()
