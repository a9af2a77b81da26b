// The messages of the wire: read from lines, written as lines. Knows nothing of tools and of how they run.

export const PROTOCOL = "1.0.0";
export const LONGEST_LINE = 80 << 20;
/** How deep a tool's result may nest: a whole line with more than 128 levels is no message to the bridge. */
const deepest = 100;

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };
export type Id = string | number | null;

export const Code = {
  parseError: -32700,
  invalidRequest: -32600,
  notFound: -32601,
  invalidParameters: -32602,
  internalError: -32603,
  executionFailed: -32000,
  timeout: -32001,
  permissionDenied: -32002,
} as const;
export type Code = (typeof Code)[keyof typeof Code];

const messages: Record<Code, string> = {
  [-32700]: "Parse error",
  [-32600]: "Invalid request",
  [-32601]: "Tool not found",
  [-32602]: "Invalid parameters",
  [-32603]: "Internal error",
  [-32000]: "Tool execution failed",
  [-32001]: "Timeout",
  [-32002]: "Permission denied",
};

const longestDetails = 1 << 20;

/** Becomes an error answer. `data` are members beside `details`. */
export class Failure extends Error {
  constructor(
    readonly code: Code,
    readonly details: string,
    readonly data: Record<string, unknown> = {},
    readonly id: Id = null,
  ) {
    super(details);
  }

  error(tool?: string): Record<string, unknown> {
    const named = tool === undefined ? {} : { tool };
    const details = this.details.slice(0, longestDetails);
    return { code: this.code, message: messages[this.code], data: { ...named, language: "typescript", details, ...this.data } };
  }
}

export interface Message {
  id: Id;
  isRequest: boolean;
  method: string;
  params: Record<string, unknown>;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Throws a Failure, with the id if that could be read, for anything that is not a message of this protocol. */
export function readMessage(line: string): Message {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch (error) {
    throw new Failure(Code.parseError, (error as Error).message);
  }
  if (!isObject(read)) throw new Failure(Code.invalidRequest, "expected an object");
  const { id: stated, method, params = {}, protocol } = read;
  const isRequest = "id" in read;
  const id = typeof stated === "string" || Number.isInteger(stated) ? (stated as Id) : null;
  const refuse = (details: string, data = {}): never => {
    throw new Failure(Code.invalidRequest, details, data, id);
  };
  if (read["jsonrpc"] !== "2.0") refuse('jsonrpc: expected "2.0"');
  if (typeof protocol !== "string" || !/^1(\.|$)/.test(protocol))
    refuse(`protocol: expected version ${PROTOCOL}, found ${JSON.stringify(protocol) ?? "none"}`, { supported: PROTOCOL });
  if (isRequest && id === null) refuse("id: expected a text or an integer");
  if (typeof method !== "string") refuse("method: expected a text");
  if (!isObject(params)) refuse("params: expected an object");
  return { id, isRequest, method: method as string, params: params as Record<string, unknown> };
}

const head = `{"jsonrpc":"2.0","protocol":"${PROTOCOL}"`;

/** A value as JSON; `what` is what errors call it. Throws a Failure for one that the wire cannot carry. */
export function sendable(value: unknown, what: string): string {
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new Failure(Code.executionFailed, `${what} is no JSON: ${(error as Error).message}`);
  }
  if (mayBeDeep(text) && isDeeper(JSON.parse(text)))
    throw new Failure(Code.executionFailed, `${what} nests more than ${deepest} arrays and objects`);
  return text;
}

/** The rest of an answer, as JSON. Throws a Failure for a result that the wire cannot carry. */
export function resultMember(result: unknown): string {
  return `"result":${sendable(result, "the tool's result")}`;
}

export function errorMember(error: unknown): string {
  return `"error":${JSON.stringify(error)}`;
}

/** An answer of one member. If it is too long for a line it becomes an error, since half of it would be useless. */
export function answerLine(id: Id, member: string): string {
  const line = `${head},"id":${JSON.stringify(id)},${member}}`;
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  return errorLine(id, new Failure(Code.executionFailed, "the answer is longer than a line may be: 80 MiB").error());
}

export function resultLine(id: Id, result: unknown): string {
  return answerLine(id, resultMember(result));
}

export function errorLine(id: Id, error: unknown): string {
  return answerLine(id, errorMember(error));
}

/** What has fewer brackets need not be looked at. */
function mayBeDeep(text: string): boolean {
  let count = 0;
  for (const bracket of "[{")
    for (let at = text.indexOf(bracket); at >= 0 && count <= deepest; at = text.indexOf(bracket, at + 1)) ++count;
  return count > deepest;
}

function isDeeper(value: unknown): boolean {
  const inside = (one: object) => Object.values(one).filter((part) => typeof part === "object" && part !== null) as object[];
  let level = [value as object];
  for (let levels = 0; levels < deepest && level.length > 0; ++levels) level = level.flatMap(inside);
  return level.length > 0;
}

export function notificationLine(method: string, params: unknown): string {
  return `${head},"method":"${method}","params":${JSON.stringify(params)}}`;
}
