def tool_info():
    return {
        "name": "structured",
        "description": "Counts the words of a text",
        "input_schema": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "What to count"}},
            "required": ["text"],
            "additionalProperties": False,
        },
        "output_schema": {
            "type": "object",
            "properties": {
                "words": {"type": "integer", "description": "How many there are"},
                "longest": {"type": "string", "description": "The first of the longest"},
                "lengths": {"type": "array", "items": {"type": "integer"}, "description": "Of each"},
            },
            "required": ["words", "longest", "lengths"],
            "additionalProperties": False,
        },
    }


def tool_function(text):
    words = text.split()
    return {"words": len(words), "longest": max(words, key=len, default=""), "lengths": [len(word) for word in words]}
