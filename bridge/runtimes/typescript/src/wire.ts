// The messages of the wire: read from lines, written as lines. Knows nothing of tools and of how they run.

export const PROTOCOL = "1.0.0";
export const LONGEST_LINE = 80 << 20;

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
    return {
      code: this.code,
      message: messages[this.code],
      data: { ...named, language: "typescript", details: this.details, ...this.data },
    };
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

/** Throws a Failure that carries the id, if that could be read, for what is no message of this protocol. */
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

const head = { jsonrpc: "2.0", protocol: PROTOCOL };

export function resultLine(id: Id, result: unknown): string {
  return JSON.stringify({ ...head, id, result });
}

export function errorLine(id: Id, error: unknown): string {
  return JSON.stringify({ ...head, id, error });
}

export function notificationLine(method: string, params: unknown): string {
  return JSON.stringify({ ...head, method, params });
}
