// What tools declare that they need, held against what the user grants. Enforces nothing itself.
import { resolve } from "node:path";

import { Code, Failure, isObject } from "./wire.js";

const members = ["read", "write", "network", "environment", "programs"] as const;
type Member = (typeof members)[number];
export type Permissions = Partial<Record<Member, string[]>>;

/** Throws an Error if it is not valid. */
export function readPermissions(given: unknown): Permissions {
  if (given === undefined || given === null) return {};
  if (!isObject(given)) throw new Error("permissions: expected an object");
  const read: Permissions = {};
  for (const [name, values] of Object.entries(given)) {
    if (!members.includes(name as Member))
      throw new Error(`permissions: ${name} is not known; known are: ${members.join(", ")}`);
    if (!Array.isArray(values) || !values.every((value) => typeof value === "string" && value !== ""))
      throw new Error(`permissions: ${name}: expected a list of texts`);
    if (values.length > 0) read[name as Member] = [...values];
  }
  return read;
}

function pathCovers(granted: string, needed: string): boolean {
  return needed === granted || needed.startsWith(granted.replace(/\/+$/, "") + "/");
}

function hostCovers(granted: string, needed: string): boolean {
  const host = needed.replace(/:\d+$/, "");
  if (granted === "*" || granted === needed || granted === host) return true;
  return granted.startsWith("*.") && (host.endsWith(granted.slice(1)) || needed.endsWith(granted.slice(1)));
}

function nameCovers(granted: string, needed: string): boolean {
  return granted === needed || (granted.endsWith("_*") && needed.startsWith(granted.slice(0, -1)));
}

function programCovers(granted: string, needed: string): boolean {
  return granted === "*" || granted === needed;
}

/** What of the declared is not granted. Relative paths count from `directory`. */
export function missing(declared: Permissions, granted: Permissions, directory: string): Permissions {
  const absolute = (paths: string[] = []) => paths.map((path) => resolve(directory, path));
  const writable = absolute(granted.write);
  const rules: Record<Member, [(granted: string, needed: string) => boolean, string[]]> = {
    read: [pathCovers, [...absolute(granted.read), ...writable]],
    write: [pathCovers, writable],
    network: [hostCovers, granted.network ?? []],
    environment: [nameCovers, granted.environment ?? []],
    programs: [programCovers, granted.programs ?? []],
  };
  const lacking: Permissions = {};
  for (const name of members) {
    const [covers, grants] = rules[name];
    const isPath = name === "read" || name === "write";
    const open = (declared[name] ?? []).filter(
      (need) => !grants.some((grant) => covers(grant, isPath ? resolve(directory, need) : need)),
    );
    if (open.length > 0) lacking[name] = open;
  }
  return lacking;
}

export function denial(tool: string, lacking: Permissions): Failure | undefined {
  const listed = Object.entries(lacking).map(([name, values]) => `${name}: ${values.join(", ")}`);
  if (listed.length === 0) return undefined;
  const details = `the tool "${tool}" needs what is not granted: ${listed.join("; ")}`;
  return new Failure(Code.permissionDenied, details, { permissions: lacking });
}
