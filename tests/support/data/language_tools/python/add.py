def tool_info():
    return {
        "name": "add",
        "description": "Adds two numbers",
        "input_schema": {
            "type": "object",
            "properties": {
                "a": {"type": "number", "description": "The first number"},
                "b": {"type": "number", "description": "The second number"},
            },
            "required": ["a", "b"],
            "additionalProperties": False,
        },
    }


def tool_function(a, b):
    return a + b
