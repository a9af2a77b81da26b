import asyncio


def tool_info():
    return {
        "name": "slow",
        "description": "Takes its steps one after the other, and waits to be cancelled if there are too many",
        "input_schema": {
            "type": "object",
            "properties": {"steps": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many"}},
            "required": ["steps"],
            "additionalProperties": False,
        },
    }


async def tool_function(steps, ctx):
    for step in range(1, min(steps, 10) + 1):
        ctx.progress(step, steps, f"step {step}")
        await asyncio.sleep(0)
    if steps > 10:
        await asyncio.Event().wait()
    return f"{steps} steps"
