def tool_info():
    return {
        "name": "echo",
        "description": "Says the text again",
        "input_schema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "What to say"}},
            "required": ["text"],
            "additionalProperties": False,
        },
    }


def tool_function(text):
    return text
