import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDigestLines } from "../src/memory/digest-lines.ts";
import type { SessionId } from "../src/sessions/ids.ts";
import { openStore } from "../src/storage/open-store.ts";
import { inRepository } from "./work-folder.ts";

/** A conversation of LoCoMo (snap-research/locomo, data/locomo10.json, CC BY-NC): its questions name the turns that answer them. */
interface Sample {
  readonly qa: readonly { readonly question: string; readonly evidence?: readonly string[] }[];
  readonly conversation: Readonly<Record<string, unknown>>;
}

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

/**
 * Prints how often a turn that answers is among the first hits; questions without such a turn are left out.
 *
 * The data is not part of this repository: `CARRYON_LOCOMO=locomo10.json npm run bench recall`.
 */
export async function measureLocomo(file: string, folder: string, most: number): Promise<void> {
  const samples = JSON.parse(readFileSync(file, "utf8")) as readonly Sample[];
  let [hit, asked] = [0, 0];
  for (const [number, { qa, conversation }] of samples.entries()) {
    const { home, turns } = layOut(conversation, join(folder, String(number)));
    await using store = await openStore(home);
    const linesOf = (ids: readonly SessionId[]) => readDigestLines(store, ids);
    for (const { question, evidence = [] } of qa) {
      const wanted = new Set(evidence.flatMap((each) => each.match(/D\d+:\d+/g) ?? []));
      if (wanted.size === 0) continue;
      asked += 1;
      const { hits } = await store.search.search({ query: question, match: "ranked", limit: most, linesOf });
      if (hits.some(({ title, seq }) => wanted.has(turns.get(`${title}#${seq}`) ?? ""))) hit += 1;
    }
  }
  console.log(`LoCoMo: Hit@${most} ${(hit / asked).toFixed(3)} (n = ${asked})`);
}

/** Records each session of a conversation under its own title, and returns which entry has which turn. */
function layOut(conversation: Sample["conversation"], folder: string) {
  const home = join(folder, "carryon");
  const cwd = join(folder, "work");
  for (const each of [cwd, join(folder, "tmp")]) mkdirSync(each, { recursive: true });
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: join(folder, "tmp"), CARRYON_HOME: home };
  const turns = new Map<string, string>();
  for (const [title, talk] of Object.entries(conversation)) {
    if (!/^session_\d+$/.test(title)) continue;
    const said = talk as readonly Turn[];
    const speakers = [...new Set(said.map(({ speaker }) => speaker))].toSorted();
    const lines = said.map(({ speaker, text }) =>
      JSON.stringify({
        role: speaker === speakers[0] ? "user" : "assistant",
        text: `${speaker}: ${text}`,
      }),
    );
    for (const [index, { dia_id: turn }] of said.entries()) turns.set(`${title}#${index + 1}`, turn);
    execFileSync(process.execPath, [inRepository("bin", "carryon.cjs"), "append", "--title", title], {
      ...{ cwd, env, input: lines.join("\n"), stdio: ["pipe", "ignore", "inherit"] },
    });
  }
  return { home, turns };
}
