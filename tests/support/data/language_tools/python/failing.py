from toolwire_runtime import ToolError


def tool_info():
    return {
        "name": "failing",
        "description": "Fails for the reason given",
        "input_schema": {
            "type": "object",
            "properties": {"reason": {"type": "string", "minLength": 1, "description": "Why"}},
            "required": ["reason"],
            "additionalProperties": False,
        },
    }


def tool_function(reason):
    raise ToolError(reason)
