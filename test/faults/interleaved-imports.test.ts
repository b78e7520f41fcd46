import fc from "fast-check";
import { expect, it } from "vitest";
import type { Entry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { anyTranscript } from "../support/claude-transcripts.ts";
import { conversationOf } from "../support/client-conversation.ts";
import { type ClientFolder, openClientFolder, rightAfter } from "../support/client-folder.ts";
import { ClientWorld, type WireRow, type WrittenSession } from "../support/client-world.ts";
import { hooksOf } from "../support/hooks-of.ts";
import { dieAtWork, startCounting } from "../support/kill-moments.ts";

/** What is taken in: everything, as `import` does, or what hooks told of and what is there, as hooks let it. */
type What = "import" | "recorded";

/** What a client, its hooks, a user and Carryon do, in any order; `of` chooses the session. */
type Step =
  | { readonly do: "grow"; readonly of: number; readonly rows: number }
  | { readonly do: "tear" | "lose" | "rewrite" | "rotate" | "delete" | "hook"; readonly of: number }
  | { readonly do: "fork"; readonly of: number; readonly by: "client" | "sdk" }
  | { readonly do: "take in" | "take in twice at once"; readonly what: What }
  | { readonly do: "kill"; readonly what: What; readonly atEvent: number };

const of = fc.nat(20);
const what = fc.constantFrom<What>("import", "recorded");
const step = <Name extends string, Fields extends object>(
  name: Name,
  fields: { [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) => fc.record({ do: fc.constant(name), ...fields } as never) as fc.Arbitrary<{ do: Name } & Fields>;

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: step("grow", { of, rows: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 3, arbitrary: step("fork", { of, by: fc.constantFrom("client", "client", "sdk") }) },
  { weight: 3, arbitrary: step("hook", { of }) },
  { weight: 2, arbitrary: fc.oneof(step("tear", { of }), step("lose", { of })) },
  { weight: 2, arbitrary: fc.oneof(step("rewrite", { of }), step("rotate", { of })) },
  { weight: 1, arbitrary: step("delete", { of }) },
  { weight: 4, arbitrary: step("take in", { what }) },
  { weight: 1, arbitrary: step("take in twice at once", { what }) },
  { weight: 2, arbitrary: step("kill", { what, atEvent: fc.integer({ min: 1, max: 250 }) }) },
);

async function takeIn(client: ClientFolder, what: What): Promise<void> {
  await client.sync(what === "recorded" ? { recorded: true } : {});
}

/** Takes in what there is in a process of its own, which dies at one of its events unless it ends before. */
async function runChild(client: ClientFolder, what: What, killAt?: number): Promise<void> {
  const args = [client.home, client.path, rightAfter.toISOString(), what];
  await using child = startCounting("sync-child.ts", args, dieAtWork(killAt));
  expect(await child.next()).toBe("ready");
  expect(killAt === undefined ? [0] : [0, "SIGKILL"]).toContain(await child.ended());
}

/** Deletes a session if it is in the store. */
async function erase({ home }: ClientFolder, { id }: WrittenSession): Promise<boolean> {
  await using store = await openStore(home);
  const session = parseSessionId(id);
  if ((await store.log.list({ id: session })).sessions.length === 0) return false;
  await store.log.delete(session, rightAfter);
  return true;
}

/** Lets a hook tell what it saw next; it may come before the row is written, or long after. */
async function tellNext(client: ClientFolder, session: WrittenSession): Promise<void> {
  const rows = [...session.rows, ...session.coming].filter(({ sessionId }) => sessionId === session.id);
  const hook = hooksOf(rows.filter(({ promptId }) => !String(promptId).startsWith("copied-")))[session.told];
  session.told += 1;
  if (hook !== undefined) await client.hook(hook);
}

async function happen(
  client: ClientFolder,
  world: ClientWorld,
  step: Step,
  deleted: Set<string>,
): Promise<void> {
  const session = world.sessions["of" in step ? step.of % world.sessions.length : 0];
  if (session === undefined) throw new Error("There is no session.");
  switch (step.do) {
    case "grow":
      return world.grow(session, step.rows);
    case "tear":
      return world.tear(session);
    case "lose":
      return world.lose(session);
    case "fork":
      return world.fork(session, step.by);
    case "rewrite":
      return world.rewrite(session);
    case "rotate":
      await takeIn(client, "import");
      return world.rotate(session);
    case "delete":
      return void ((await erase(client, session)) && deleted.add(session.id));
    case "hook":
      return tellNext(client, session);
    case "take in":
      return takeIn(client, step.what);
    case "take in twice at once":
      return void (await Promise.all([takeIn(client, step.what), runChild(client, "import")]));
    case "kill":
      return runChild(client, step.what, step.atEvent);
  }
}

/** What one import of everything that was ever written makes of it. */
async function importAtOnce(world: ClientWorld): ReturnType<ClientFolder["read"]> {
  await using client = await openClientFolder();
  for (const { id, text } of world.sessions) await client.write(id, text);
  await client.sync();
  return await client.read();
}

type Stored = Awaited<ReturnType<ClientFolder["read"]>>[string] | undefined;

/**
 * Returns what must not depend on what happened in between: the conversation, and every entry that was made of the
 * session's own transcript, once.
 *
 * A fork whose origin was deleted, or was taken in after it, has copies of its own where others share, and it shares
 * other things that its transcript does not have.
 */
function factsOf(stored: Stored, { rows }: WrittenSession) {
  const names = new Map(rows.map((row) => [row.uuid, originalOf(row)]));
  const nameOf = (id: string) => String(names.get(id) ?? id);
  const own = new Set(names.values());
  const talk = (stored?.entries ?? []).filter(({ strand }) => strand !== "hooks");
  const leaf = talk.findLast(({ strand }) => strand === "main")?.id ?? null;
  return {
    entries: new Map(
      talk.filter(({ id }) => own.has(nameOf(id))).map((entry) => [nameOf(entry.id), contentOf(entry)]),
    ),
    spoken: conversationOf(talk, leaf).map(({ id }) => nameOf(id)),
  };
}

/** Returns which row a row is a copy of: itself, unless the SDK copied it. */
function originalOf({ uuid, forkedFrom }: WireRow): unknown {
  const copied = forkedFrom as { readonly messageUuid: string } | undefined;
  return copied === undefined ? uuid : copied.messageUuid;
}

/** What an entry says; what it counts and what it is linked to is another matter in a fork. */
function contentOf(entry: Entry): object {
  const { kind, strand, at } = entry;
  if (kind === "message") return { kind, strand, at, role: entry.role, parts: entry.parts };
  if (kind === "summary") return { kind, strand, at, text: entry.text };
  return { kind, strand, at, ...(kind === "event" ? { event: entry.event, data: entry.data } : {}) };
}

/** Returns everything of a session that is no fork but what hooks told, who may have seen another first prompt. */
function wholeOf(stored: Stored, { told, lostState }: WrittenSession): unknown {
  if (stored === undefined || stored.session.forkedFrom !== null || lostState) return undefined;
  const talk = stored.entries.filter(({ strand }) => strand !== "hooks");
  return {
    title: told === 0 ? stored.session.title : "",
    talk: talk.map(({ seq: _seq, ...entry }) => entry),
  };
}

it("has what one import at the end would have, once, whatever happened in between", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTranscript, { minLength: 1, maxLength: 2 }),
      fc.array(anyStep, { maxLength: 14 }),
      async (transcripts, steps) => {
        await using client = await openClientFolder();
        const world = new ClientWorld(client);
        for (const rows of transcripts) await world.begin(rows);
        const deleted = new Set<string>();
        for (const each of steps) await happen(client, world, each, deleted);
        await world.finish();
        await client.sync();
        expect(await client.sync()).toMatchObject({ added: 0, changed: 0, items: 0, failed: [] });
        const [stored, expected] = [await client.read(), await importAtOnce(world)];
        const left = Object.keys(expected).filter((id) => !deleted.has(id));
        expect(new Set(Object.keys(stored))).toEqual(new Set(left));
        for (const session of world.sessions.filter(({ id }) => !deleted.has(id))) {
          const [ours, theirs] = [stored[session.id], expected[session.id]];
          expect(new Set(ours?.entries.map(({ id }) => id)).size).toBe(ours?.entries.length ?? 0);
          expect(factsOf(ours, session)).toEqual(factsOf(theirs, session));
          const [whole, expectedWhole] = [wholeOf(ours, session), wholeOf(theirs, session)];
          if (whole !== undefined && expectedWhole !== undefined) expect(whole).toEqual(expectedWhole);
        }
      },
    ),
    { numRuns: 15, endOnFailure: true },
  );
});
