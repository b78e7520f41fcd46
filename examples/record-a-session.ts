import { makeEntryId, makeSessionId, openProject } from "../src/index.ts";

/** Records one message of a session of its own and reads it back. */
export async function recordASession(home: string): Promise<void> {
  const { store, project, branch } = await openProject({ cwd: process.cwd(), home }, "write");
  const { log } = store;
  const now = new Date();
  const place = { cwd: process.cwd(), branch, machine: "laptop" };
  const session = await log.open({
    ...place,
    id: makeSessionId(now, "Auth bug"),
    project: project.id,
    client: "carryon-append",
    startedAt: now,
  });

  // On disk when it returns. The id is yours, so that a retry after a lost answer is stored once.
  const said = { kind: "message", role: "user", parts: [{ type: "text", text: "Fix the login." }] } as const;
  await log.append(session.id, [{ ...said, id: makeEntryId(now), at: now }]);

  for await (const entry of log.read(session.id)) console.log(entry.seq, entry.kind);
  await store[Symbol.asyncDispose]();
}
