// JSON Schema → Zod. What Zod has a word for becomes that word; the rest is checked all the same, by the schema itself;
// and translated back it is the schema it was.
import { z } from "zod";

import { isObject, type Json, type JsonObject } from "../wire.js";
import { handledToZod } from "./handlers.js";
import { JsonSchemaValidator } from "./validator.js";
import { rememberSource } from "./zod_to_json.js";

/** Keywords checked by the Zod schema of their part; any other requires the whole schema. */
const translated: Record<string, string[]> = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};
const saysNothing = ["$schema", "$id", "$comment", "$defs", "definitions", "title", "description", "default", "examples", "format",
                     "deprecated", "readOnly", "writeOnly", "contentEncoding", "contentMediaType"];

const literal = (value: Json): z.ZodType => {
  if (value === null || typeof value !== "object") return z.literal(value);
  const validator = new JsonSchemaValidator({ const: value });
  return z.custom((given) => validator.violations(given).length === 0, `expected ${JSON.stringify(value)}`);
};

class Translation {
  private readonly known = new Map<JsonObject, z.ZodType>();
  /** Whether each keyword has become a part of the Zod schema. */
  complete = true;

  constructor(private readonly document: JsonObject) {}

  schema(json: Json | undefined): z.ZodType {
    if (json === undefined || json === true) return z.unknown();
    if (json === false) return z.never();
    if (!isObject(json)) throw new Error(`expected a schema, found ${JSON.stringify(json)}`);
    const known = this.known.get(json as JsonObject);
    if (known) return known;
    let made: z.ZodType | undefined;
    const later = z.lazy(() => made!);
    this.known.set(json as JsonObject, later); // for what leads back here
    made = handledToZod(json as JsonObject) ?? this.structure(json as JsonObject);
    const description = json["description"];
    if (typeof description === "string") made = made.describe(description);
    // What refers to its surroundings means nothing without them.
    if (json === this.document || !JSON.stringify(json).includes('"$ref"')) rememberSource(made, json as JsonObject);
    this.known.set(json as JsonObject, made);
    return made;
  }

  private structure(json: JsonObject): z.ZodType {
    if ("$ref" in json) return this.only(json, ["$ref"], this.reference(json["$ref"]!));
    if ("const" in json) return this.only(json, ["const", "type"], literal(json["const"]!));
    if (Array.isArray(json["enum"])) return this.only(json, ["enum", "type"], this.enumeration(json["enum"]));
    if (Array.isArray(json["anyOf"])) return this.only(json, ["anyOf"], this.union(json["anyOf"]));
    const type = json["type"];
    if (Array.isArray(type)) return this.union(type.map((one) => this.ofType(json, one as string)));
    return type === undefined ? this.only(json, [], z.unknown()) : this.ofType(json, type as string);
  }

  /** Notes whether there is more in a schema than what was looked at. */
  private only(json: JsonObject, names: string[], schema: z.ZodType): z.ZodType {
    if (Object.keys(json).some((name) => !names.includes(name) && !saysNothing.includes(name))) this.complete = false;
    return schema;
  }

  private ofType(json: JsonObject, type: string): z.ZodType {
    const known = translated[type === "integer" ? "number" : type] ?? [];
    const others = Array.isArray(json["type"]) ? Object.values(translated).flat() : [];
    switch (type) {
      case "string":
        return this.only(json, ["type", ...known, ...others], this.text(json));
      case "number":
      case "integer":
        return this.only(json, ["type", ...known, ...others], this.number(json, type));
      case "boolean":
        return this.only(json, ["type", ...others], z.boolean());
      case "null":
        return this.only(json, ["type", ...others], z.null());
      case "array":
        return this.only(json, ["type", ...known, ...others], this.array(json));
      case "object":
        return this.only(json, ["type", ...known, ...others], this.object(json));
    }
    throw new Error(`type: ${JSON.stringify(type)} is no type`);
  }

  private text(json: JsonObject): z.ZodType {
    let text = z.string();
    // Zod counts UTF-16 units, JSON Schema characters: what Zod says first is never too strict.
    if (typeof json["minLength"] === "number") text = text.min(json["minLength"]);
    if ("maxLength" in json) this.complete = false;
    if ("minLength" in json) this.complete = false;
    if (typeof json["pattern"] === "string") text = text.regex(new RegExp(json["pattern"], "u"));
    return text;
  }

  private number(json: JsonObject, type: string): z.ZodType {
    let number = z.number();
    if (typeof json["minimum"] === "number") number = number.gte(json["minimum"]);
    if (typeof json["maximum"] === "number") number = number.lte(json["maximum"]);
    if (typeof json["exclusiveMinimum"] === "number") number = number.gt(json["exclusiveMinimum"]);
    if (typeof json["exclusiveMaximum"] === "number") number = number.lt(json["exclusiveMaximum"]);
    if (typeof json["multipleOf"] === "number") number = number.multipleOf(json["multipleOf"]);
    // Not int(): that refuses whole numbers beyond 2^53.
    return type === "integer" ? number.refine(Number.isInteger, "expected an integer") : number;
  }

  private array(json: JsonObject): z.ZodType {
    if (Array.isArray(json["items"]) || "prefixItems" in json) {
      this.complete = false;
      return z.array(z.unknown());
    }
    let array = z.array(this.schema(json["items"]));
    if (typeof json["minItems"] === "number") array = array.min(json["minItems"]);
    if (typeof json["maxItems"] === "number") array = array.max(json["maxItems"]);
    return array;
  }

  private object(json: JsonObject): z.ZodType {
    const properties = isObject(json["properties"]) ? (json["properties"] as JsonObject) : {};
    const required = Array.isArray(json["required"]) ? json["required"] : [];
    const shape: Record<string, z.ZodType> = {};
    for (const [name, one] of Object.entries(properties)) {
      const schema = this.schema(one);
      const hasDefault = isObject(one) && "default" in one;
      shape[name] = required.includes(name) ? schema : hasDefault ? schema.default(one["default"]) : schema.optional();
    }
    if (required.some((name) => !((name as string) in properties))) this.complete = false;
    if ("patternProperties" in json) {
      this.complete = false; // members that a pattern allows are not among the others
      return z.looseObject(shape);
    }
    const others = json["additionalProperties"];
    if (others === false) return z.strictObject(shape);
    return others === undefined || others === true ? z.looseObject(shape) : z.object(shape).catchall(this.schema(others));
  }

  private enumeration(values: Json[]): z.ZodType {
    if (values.length === 0) return z.never();
    if (values.every((value) => typeof value === "string")) return z.enum(values as [string, ...string[]]);
    return this.union(values.map(literal));
  }

  private union(options: (Json | z.ZodType)[]): z.ZodType {
    const schemas = options.map((one) => (one instanceof z.ZodType ? one : this.schema(one)));
    return schemas.length === 1 ? schemas[0]! : z.union(schemas as [z.ZodType, ...z.ZodType[]]);
  }

  private reference(to: Json): z.ZodType {
    if (typeof to !== "string" || (to !== "#" && !to.startsWith("#/"))) {
      this.complete = false; // an anchor: the validator finds it
      return z.unknown();
    }
    let found: Json | undefined = this.document;
    for (const step of decodeURIComponent(to).split("/").slice(1)) {
      const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
      found = isObject(found) || Array.isArray(found) ? (found as JsonObject)[name] : undefined;
    }
    if (found === undefined) throw new Error(`$ref: nothing at ${JSON.stringify(to)}`);
    return this.schema(found);
  }
}

/** A Zod schema for the same values; absent members with a default come out with it. Throws an Error if it is not a schema. */
export function jsonSchemaToZod(json: JsonObject | boolean): z.ZodType {
  if (typeof json === "boolean") return json ? z.unknown() : z.never();
  const translation = new Translation(json);
  const structure = translation.schema(json);
  const validator = new JsonSchemaValidator(json);
  if (translation.complete) return structure;
  const whole = structure.superRefine((value, context) => {
    for (const { path, message } of validator.violations(value)) {
      const steps = path.split("/").slice(1).map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
      context.addIssue({ code: "custom", message, path: steps });
    }
  });
  rememberSource(whole, json);
  return whole;
}
