import { claudeCode } from "./claude-code/client.ts";
import type { Client } from "./client.ts";

const registered = new Map<string, Client>([[claudeCode.name, claudeCode]]);

/** The client in which sessions are resumed that no other client of ours can resume. */
export const usualClient: Client = claudeCode;

/** Makes a client known to this process, in the place of another one of its name. */
export function registerClient(client: Client): void {
  registered.set(client.name, client);
}

/** Returns the client of a name; undefined where none is known. */
export function clientNamed(name: string): Client | undefined {
  return registered.get(name);
}

/** Returns the names of all clients that are known. */
export function clientNames(): readonly string[] {
  return [...registered.keys()];
}
