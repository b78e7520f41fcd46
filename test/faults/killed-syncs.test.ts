import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type HookedProject, minute, one, openHookedProject, two } from "../support/hooked-project.ts";
import { countEvents, dieAt, startCounting } from "../support/kill-moments.ts";

/** A project in which a sync has something to write down. */
interface Scene {
  readonly of: string;
  readonly prepare: (project: HookedProject) => Promise<unknown>;
  /** The files below `.claude/sdd` that are there after a sync. */
  readonly documents: readonly string[];
}

/** A day later, when a session that was not heard of since counts as cut off. */
const syncedAt = minute(24 * 60);

async function runCommand(project: HookedProject): Promise<void> {
  await project.prompt(one, minute(1), "/sdd-impl login");
  await project.stop(one, minute(2));
}

async function learn(project: HookedProject, at: Date): Promise<void> {
  const message = { agent_type: "builder", last_assistant_message: "[PATTERN] api: retry" };
  await project.hook(one, at, "SubagentStop", message);
}

const scenes: readonly Scene[] = [
  {
    of: "the first documents of a project",
    prepare: runCommand,
    documents: ["handover/decisions.md", "handover/session.md"],
  },
  {
    of: "work of the session that the draft is of, and of another one",
    prepare: async (project) => {
      await runCommand(project);
      await project.sync(minute(3));
      await project.prompt(one, minute(4), "Go on");
      await project.write(minute(5), "src/cart.ts", "a");
      await project.stop(one, minute(6));
      await project.prompt(two, minute(7), "Review it");
      await project.write(minute(8), "src/basket.ts", "a");
      await project.stop(two, minute(9));
    },
    documents: ["handover/decisions.md", "handover/session.md"],
  },
  {
    of: "a note that is flushed after a wave",
    prepare: async (project) => {
      const spec = (phase: string) => `phase: ${phase}\nroadmap:\n  wave: 1\n  dependencies: []\n`;
      await project.spec(minute(0), "login", spec("design-generated"));
      await runCommand(project);
      await project.sync(minute(3));
      await learn(project, minute(4));
      await project.spec(minute(5), "login", spec("implementation-complete"));
      await project.stop(one, minute(6));
      await learn(project, minute(7));
    },
    documents: [
      "handover/buffer.md",
      "handover/decisions.md",
      "handover/session.md",
      "project/knowledge/pattern-api-retry.md",
    ],
  },
  {
    of: "a session that was cut off",
    prepare: async (project) => {
      await project.prompt(one, minute(1), "/sdd-impl login");
      await project.handover(minute(1), (each) => each.begin(one));
      await project.write(minute(2), "src/cart.ts", "a");
      await project.sync(syncedAt);
      await project.hook(two, syncedAt, "SessionStart", { source: "startup" });
    },
    documents: ["handover/decisions.md", "handover/session.md"],
  },
];

/** Syncs in a process of its own, and says how that ended. */
async function syncInChild(
  project: HookedProject,
  env: Readonly<Record<string, string>>,
): Promise<number | NodeJS.Signals | null> {
  const args = [project.home, project.client.path, syncedAt.toISOString()];
  await using child = startCounting("sync-moments-child.ts", args, env);
  expect(await child.next()).toBe("ready");
  return await child.ended();
}

async function readDocuments(project: HookedProject): Promise<Readonly<Record<string, string>>> {
  const folder = project.join(".claude/sdd");
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(?:md|carryon-tmp)$/.test(name),
  );
  const texts = names.toSorted().map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  return Object.fromEntries(await Promise.all(texts));
}

it.each(scenes)(
  "$of: a sync that is killed before any change of a file is made up for by the next",
  async ({ prepare, documents }) => {
    let whole = {};
    const { files } = await countEvents(async (env) => {
      await using project = await openHookedProject();
      await prepare(project);
      expect(await syncInChild(project, env)).toBe(0);
      whole = await readDocuments(project);
    });
    expect(Object.keys(whole)).toEqual(documents);
    for (let number = 1; number <= files; number += 1) {
      await using project = await openHookedProject();
      await prepare(project);
      expect(await syncInChild(project, dieAt({ phase: "files", number, manner: "before" }))).toBe("SIGKILL");
      expect(await project.sync(syncedAt)).toMatchObject({ unwritten: [], failed: [] });
      expect({ number, found: await readDocuments(project) }).toEqual({ number, found: whole });
      expect(await project.sync(syncedAt)).toMatchObject({ drafted: [], noted: [], flushed: [], items: 0 });
    }
    expect(files).toBeGreaterThan(1);
  },
);
