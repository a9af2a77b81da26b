// Regular expressions of JavaScript as the patterns of JSON Schema, which have no flags.

const ignored = /[dguvy]/g; // flags that change nothing about whether a text fits

/** Both cases of a letter, if it has two of one character each. */
function cases(letter: string): string[] {
  const all = [letter, letter.toLowerCase(), letter.toUpperCase()].filter((one) => [...one].length === 1);
  return [...new Set(all)];
}

/** A range within brackets, with the other case of its letters of ASCII. */
function rangeInBothCases(first: string, last: string): string {
  let range = `${first}-${last}`;
  for (const [low, high, shift] of [["a", "z", -32], ["A", "Z", 32]] as const) {
    const from = first > low ? first : low;
    const to = last < high ? last : high;
    if (from > to) continue;
    range += `${String.fromCodePoint(from.codePointAt(0)! + shift)}-${String.fromCodePoint(to.codePointAt(0)! + shift)}`;
  }
  return range;
}

const step = /\\k<[^>]*>|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[\s\S]|\(\?<(?![=!])[^>]*>|[\s\S]/gu;

/**
 * The pattern that fits the same texts; `undefined` where there is none: lines that `^` and `$` stand for, references,
 * classes and ranges of characters beyond ASCII whose case does not count.
 */
export function patternOfRegExp(expression: RegExp): string | undefined {
  const flags = expression.flags.replace(ignored, "");
  if (flags === "") return expression.source;
  const anyCase = flags.includes("i");
  const anyChar = flags.includes("s");
  let out = "";
  let inClass = false;
  const steps = expression.source.match(step) ?? [];
  for (let index = 0; index < steps.length; ++index) {
    const one = steps[index]!;
    if (flags.includes("m") && !inClass && (one === "^" || one === "$")) return undefined;
    if (anyCase && /^\\([pPkux]|[1-9])/u.test(one)) return undefined;
    if (inClass && steps[index + 1] === "-" && steps[index + 2] !== "]" && steps[index + 2] !== undefined && anyCase) {
      const last = steps[index + 2]!;
      if (!/^[\x20-\x7e]$/u.test(one) || !/^[\x20-\x7e]$/u.test(last)) return undefined;
      out += rangeInBothCases(one, last);
      index += 2;
      continue;
    }
    if (!inClass && one === "[") inClass = true;
    else if (inClass && one === "]") inClass = false;
    if (anyChar && !inClass && one === ".") out += "[\\s\\S]";
    else if (anyCase && /^\p{L}$/u.test(one)) {
      const both = cases(one);
      out += inClass || both.length === 1 ? both.join("") : `[${both.join("")}]`;
    } else out += one;
  }
  return out;
}
