import { mkdir, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { inspectDecisions } from "../../src/handover/decisions/inspect-decisions.ts";
import { parseDecisions } from "../../src/handover/decisions/parse-decisions.ts";
import { bundleScript } from "../support/bundle-script.ts";
import { startChild } from "../support/child.ts";
import { handoverSceneIn, openHandoverScene } from "../support/handover-operations.ts";
import { type HandoverView, piecesOf, viewHandover } from "../support/handover-view.ts";
import { tempDir } from "../support/temp-dir.ts";

const rounds = 8;
const atOnce = 3;

/** Lets writers work at once, kills each at some moment after its first words, and returns what they said. */
async function killWriters(script: string, folder: string, round: number): Promise<readonly string[]> {
  const said = await Promise.all(
    Array.from({ length: atOnce }, async (_, index) => {
      await using child = startChild(script, folder, `w${round}-${index}`);
      const lines: (string | undefined)[] = [];
      for (let words = 0; words <= (round + index) % 5; words += 1) lines.push(await child.next());
      await sleep(Math.random() * 30);
      child.kill("SIGKILL");
      for (let line = await child.next(); line !== undefined; line = await child.next()) lines.push(line);
      return lines;
    }),
  );
  return said.flat().filter((line) => line !== undefined);
}

/** Returns what was acknowledged and is not there. */
function findLost(view: HandoverView, acknowledged: readonly string[]): readonly string[] {
  const decided = new Set(parseDecisions(view.decisions).decisions.map(({ summary }) => summary));
  const pieces = new Set(piecesOf(view));
  const isThere: Readonly<Record<string, (text: string) => boolean>> = {
    decided: (text) => decided.has(text),
    drafted: (text) => view.session?.includes(`- ${text}\n`) === true,
    noted: (text) => pieces.has(text),
  };
  return acknowledged.filter((line) => {
    const [verb = "", ...words] = line.split(" ");
    return isThere[verb]?.(words.join(" ")) !== true;
  });
}

it("keeps all that was acknowledged when writers are killed at any moment", async () => {
  await using dir = await tempDir();
  await using script = await bundleScript("handover-loop-child.ts");
  await mkdir(handoverSceneIn(dir.path).work);
  const acknowledged: string[] = [];
  let before: HandoverView | undefined;
  for (let round = 0; round < rounds; round += 1) {
    acknowledged.push(...(await killWriters(script.path, dir.path, round)));
    await using scene = await openHandoverScene(dir.path);
    const now = await viewHandover(scene.handover);
    const { isIntact, missing, altered } = await inspectDecisions(scene.site, Buffer.from(now.decisions));
    const drafts = [before?.session, now.session].filter((text) => text !== undefined);
    expect({
      ...{ round, isIntact, missing, altered, lost: findLost(now, acknowledged) },
      isLonger: now.decisions.startsWith(before?.decisions ?? ""),
      unknown: drafts.filter((text) => !now.versions.includes(text)),
    }).toEqual({ round, isIntact: true, missing: [], altered: [], lost: [], isLonger: true, unknown: [] });
    before = now;
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds * atOnce);
  await using scene = await openHandoverScene(dir.path);
  await scene.handover.draft({ done: ["the end"] });
  const names = await readdir(scene.site.root, { recursive: true });
  expect(names.filter((name) => name.includes(".carryon-tmp"))).toEqual([]);
});
