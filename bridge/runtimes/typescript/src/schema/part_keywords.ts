// The keywords of JSON Schema that look at members and items. What looks at the rest comes last.
import { isObject } from "../wire.js";
import { patternOf, pointer, type Check, type Compiler, type Keyword } from "./keywords.js";

/** Of the parts of a value, in the order in which they are checked. */
export const partKeywords: Record<string, Keyword> = {
  properties(stated) {
    const checks = this.byName(stated);
    return (value, path, state) => {
      if (!isObject(value)) return;
      for (const [name, check] of checks) {
        if (!Object.hasOwn(value, name)) continue;
        state.properties.add(name);
        this.below(check, value[name], path + pointer(name), state);
      }
    };
  },
  patternProperties(stated) {
    const checks = this.byName(stated).map(([text, check]) => [patternOf(text), check] as const);
    return (value, path, state) => {
      for (const name of isObject(value) ? Object.keys(value) : []) {
        for (const [pattern, check] of checks) {
          if (!pattern.test(name)) continue;
          state.properties.add(name);
          this.below(check, (value as Record<string, unknown>)[name], path + pointer(name), state);
        }
      }
    };
  },
  additionalProperties(stated, schema) {
    const check = this.compile(stated);
    const named = new Set(Object.keys(schema["properties"] ?? {}));
    const patterns = Object.keys(schema["patternProperties"] ?? {}).map(patternOf);
    return (value, path, state) => {
      for (const name of isObject(value) ? Object.keys(value) : []) {
        if (named.has(name) || patterns.some((pattern) => pattern.test(name))) continue;
        state.properties.add(name);
        if (stated === false) state.violations.push({ path: path + pointer(name), message: "is not expected" });
        else this.below(check, (value as Record<string, unknown>)[name], path + pointer(name), state);
      }
    };
  },
  prefixItems(stated) {
    const checks = this.list(stated);
    return (value, path, state) => {
      if (!Array.isArray(value)) return;
      checks.slice(0, value.length).forEach((check, index) => {
        state.items.add(index);
        this.below(check, value[index], `${path}/${index}`, state);
      });
    };
  },
  items(stated, schema) {
    if (Array.isArray(stated)) return partKeywords["prefixItems"]!.call(this, stated, schema); // draft-07
    return rest(this, stated, (schema["prefixItems"] ?? []).length);
  },
  additionalItems(stated, schema) {
    return Array.isArray(schema["items"]) ? rest(this, stated, schema["items"].length) : () => {};
  },
  contains(stated, schema) {
    const check = this.compile(stated);
    const least: number = schema["minContains"] ?? 1;
    const most: number = schema["maxContains"] ?? Infinity;
    return (value, path, state) => {
      if (!Array.isArray(value)) return;
      const fitting = value.map((one, index) => (this.fits(check, one) ? index : -1)).filter((index) => index >= 0);
      fitting.forEach((index) => state.items.add(index));
      if (fitting.length < least) state.violations.push({ path, message: "lacks an item that is expected" });
      if (fitting.length > most) state.violations.push({ path, message: "has too many items of one kind" });
    };
  },
  unevaluatedProperties(stated) {
    const check = this.compile(stated);
    return (value, path, state) => {
      for (const name of isObject(value) ? Object.keys(value) : []) {
        if (state.properties.has(name)) continue;
        state.properties.add(name);
        if (stated === false) state.violations.push({ path: path + pointer(name), message: "is not expected" });
        else this.below(check, (value as Record<string, unknown>)[name], path + pointer(name), state);
      }
    };
  },
  unevaluatedItems(stated) {
    const check = this.compile(stated);
    return (value, path, state) => {
      if (!Array.isArray(value)) return;
      value.forEach((one, index) => {
        if (!state.items.has(index)) this.below(check, one, `${path}/${index}`, state);
        state.items.add(index);
      });
    };
  },
};

function rest(compiler: Compiler, stated: unknown, from: number): Check {
  const check = compiler.compile(stated);
  return (value, path, state) => {
    if (!Array.isArray(value)) return;
    for (let index = from; index < value.length; ++index) {
      state.items.add(index);
      compiler.below(check, value[index], `${path}/${index}`, state);
    }
  };
}

