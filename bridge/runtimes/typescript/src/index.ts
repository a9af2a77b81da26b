// For tools, and for programs that serve them themselves.
export { ToolError } from "./calls.js";
export type { CallMetadata, ToolContext } from "./context.js";
export type { Permissions } from "./permissions.js";
export { Registry } from "./registry.js";
export { Runtime } from "./runtime.js";
export { compileSchema, type Checked, type CompiledSchema, type JsonSchema, type SchemaLike } from "./schema/compiled.js";
export { registerTypeHandler, type TypeHandler } from "./schema/handlers.js";
export { jsonSchemaToZod } from "./schema/json_to_zod.js";
export { JsonSchemaValidator, type Violation } from "./schema/validator.js";
export { zodToJsonSchema } from "./schema/zod_to_json.js";
export { Tool, type ToolResult } from "./tool.js";
