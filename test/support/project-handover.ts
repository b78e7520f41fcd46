import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { DecisionType } from "../../src/handover/decision.ts";
import { parseSession } from "../../src/handover/parse-session.ts";
import { openProjectHandover } from "../../src/handover/project-handover.ts";
import { type BriefRequest, readBrief } from "../../src/memory/read-brief.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { makeRepo } from "./git-repo.ts";
import { noWarning } from "./no-warning.ts";
import { tempDir } from "./temp-dir.ts";

/** When all happens, unless a test says otherwise. */
export const noon = new Date("2026-11-16T12:00:00Z");

const fields = { context: "c", decision: "d", reason: "r", impact: "none", source: "test" };

/** Decisions or exceptions as a person gives them, each with a reason and an impact. */
export const given = (...texts: readonly string[]) =>
  texts.map((text) => ({ text, reason: "because", impact: "none" }));

/** A project with its handover, in a repository unless told. */
export async function openTestHandover({ inGit = true } = {}) {
  const dir = await tempDir();
  const root = dir.join("shop");
  await (inGit ? makeRepo(root, ["first"]) : mkdir(root));
  const home = dir.join("home");
  const here = await openProject({ cwd: root, home, store: undefined }, "write");
  const clock = { now: () => noon };
  const handover = await openProjectHandover({ ...here, machine: "here", clock, warn: noWarning });
  const path = handover.paths.session;
  return {
    ...{ root, home, here, handover, path },
    brief: (request?: BriefRequest) => readBrief({ ...here, machine: "here", clock }, request),
    join: (...names: readonly string[]) => dir.join("shop", ...names),
    decide: (type: DecisionType, summary: string) => handover.decide({ type, summary, ...fields }),
    read: () => readFile(path, "utf8"),
    doc: async () => parseSession(await readFile(path, "utf8")).doc,
    write: async (text: string) => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    },
    history: async () => (await handover.history()).map(({ event, text }) => [event, text]),
    [Symbol.asyncDispose]: async () => {
      await here[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
