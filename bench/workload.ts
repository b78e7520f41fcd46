import type { EntryContent, NewEntry } from "../src/sessions/entry.ts";
import { makeEntryId, parseSessionId, type SessionId } from "../src/sessions/ids.ts";
import type { Store } from "../src/storage/open-store.ts";

const textLength = 2048;
const noiseLength = 1 << 20;
const noise = makeNoise();
let made = 0;

/** Makes a message of 2 KB that differs from every other, so that nothing is stored only once by chance. */
export function makeMessage(): NewEntry {
  made += 1;
  const at = new Date();
  const role = made % 2 === 1 ? "user" : "assistant";
  return { id: makeEntryId(at), at, kind: "message", role, parts: [{ type: "text", text: makeText() }] };
}

function makeText(): string {
  const label = `Message ${made}: `;
  const offset = (made * 7919) % (noiseLength - textLength);
  const text = label + noise.slice(offset, offset + textLength - label.length);
  // In one piece of memory, as text that came from outside is, and not as two that are joined at the first use.
  return Buffer.from(text, "latin1").toString("latin1");
}

export function makeMessages(count: number): readonly NewEntry[] {
  return Array.from({ length: count }, makeMessage);
}

/** Returns the text that a message is stored as: the bytes that a bare insert has to put on disk. */
export function bodyText(entry: EntryContent): string {
  if (entry.kind !== "message") throw new TypeError("The workload is made of messages.");
  return JSON.stringify({ role: entry.role, parts: entry.parts });
}

/** Opens a new session in a store. */
export async function openSession(store: Store, name: string): Promise<SessionId> {
  const project = await store.projects.recognise({ identities: ["path:/bench"], name: "bench" });
  const { id } = await store.log.open({
    id: parseSessionId(name),
    project: project.id,
    client: "carryon-append",
    ...place(),
  });
  return id;
}

/** Where and when a session or a fork begins. */
export function place(): { readonly cwd: string; readonly machine: string; readonly startedAt: Date } {
  return { cwd: "/bench", machine: "bench", startedAt: new Date() };
}

const batchSize = 1000;

/** Appends messages in batches, as an import does. */
export async function fill(store: Store, session: SessionId, count: number): Promise<void> {
  for (let left = count; left > 0; left -= batchSize) {
    await store.log.append(session, makeMessages(Math.min(batchSize, left)));
  }
}

/** Makes words from a fixed seed: the same in every run. */
function makeNoise(): string {
  let state = 20_261_115;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % below;
  };
  const words: string[] = [];
  for (let length = 0; length < noiseLength; length += (words.at(-1)?.length ?? 0) + 1) {
    words.push(Array.from({ length: 2 + next(8) }, () => String.fromCharCode(97 + next(26))).join(""));
  }
  return words.join(" ").slice(0, noiseLength);
}
