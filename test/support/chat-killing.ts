import { mkdir, readdir } from "node:fs/promises";
import type { Entry } from "../../src/sessions/entry.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import { chooseStore } from "../../src/workspace/choose-store.ts";
import { bundleScript } from "./bundle-script.ts";
import { models } from "./chat-world.ts";
import { dieAt, type KillMoment, KillMoments, startCounting } from "./kill-moments.ts";
import { openModelServer } from "./model-server/open-model-server.ts";
import type { Scenario } from "./model-server/scenario.ts";
import { tempDir } from "./temp-dir.ts";

/** How many prompts the chat has. */
const steps = 5;

/** Each prompt has the model look, write a file and run a command, with some time in between for a kill. */
const scenario: Scenario = {
  rules: Array.from({ length: steps }, (_, index) => index + 1).map((step) => ({
    when: `Step ${step}.`,
    steps: [
      { text: "Let me look at what is there.", calls: [{ tool: "list", input: {} }], pace: 4 },
      {
        thinking: "Now I write.",
        calls: [
          { tool: "write", input: { path: `${step}.txt`, content: `${step}\n` } },
          { tool: "bash", input: { command: `sleep 0.05; cat ${step}.txt` } },
        ],
      },
      { text: `Done ${step}.`, pace: 4 },
    ],
  })),
};

/** What was wrong after a chat was killed and held to its end. */
export interface ChatKilling {
  readonly kills: number;
  /** How many of the kills met a chat that had told of something; three in four do at least. */
  readonly talking: number;
  /** Everything that the chats were told is saved. */
  readonly told: number;
  readonly problems: readonly string[];
  readonly seed: number;
}

/**
 * Kills chats with SIGKILL at any of their events, and lets each go on until it has come to its end.
 *
 * `place` is the address of a PostgreSQL store, or nothing for a file; without a seed the moments are others each time.
 */
export async function killChats(kills: number, place = "", seed?: number): Promise<ChatKilling> {
  await using bundle = await bundleScript("chat-child.ts");
  const moments = new KillMoments(seed);
  const sum = { kills: 0, talking: 0, told: 0, problems: [] as string[], seed: moments.seed };
  while (sum.kills < kills && sum.problems.length === 0) {
    const model = models[sum.kills % models.length] ?? models[0];
    const chat = { model, place, before: sum.kills, most: kills - sum.kills };
    const { problems, ...counts } = await killOne(bundle.path, chat, moments);
    sum.kills += counts.kills;
    sum.talking += counts.talking;
    sum.told += counts.told;
    sum.problems.push(...problems);
  }
  return sum;
}

interface OneChat {
  readonly model: string;
  readonly place: string;
  /** The kills of the chats before it. */
  readonly before: number;
  readonly most: number;
}

/** A whole chat has several times as many events. */
const mostWork = 120;

async function killOne(
  script: string,
  { model, place, before, most }: OneChat,
  moments: KillMoments,
): Promise<Omit<ChatKilling, "seed">> {
  await using dir = await tempDir();
  await using server = await openModelServer(scenario);
  const [folder, home] = [dir.join("work"), dir.join("home")];
  await mkdir(folder);
  const env = {
    ...{ HOME: dir.path, CARRYON_HOME: home },
    ...{ ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: server.url },
    ...{ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${server.url}/v1` },
  };
  const told: string[] = [];
  const run = async (session: string, moment?: KillMoment) => {
    const args = [String(steps), folder, home, place, model, session];
    await using child = startCounting(script, args, { ...env, ...(moment && dieAt(moment)) });
    const lines: string[] = [];
    for (let line = await child.next(); line !== undefined; line = await child.next()) lines.push(line);
    const how = await child.ended();
    if (how !== "SIGKILL" && how !== 0) throw new Error(`The chat ended with ${how}.`);
    told.push(...lines.filter(isTold));
    return { lines, isKilled: how === "SIGKILL" };
  };
  let [count, talking] = [0, 0];
  let session = "";
  // As many kills as it takes to the end, which comes at the latest when no more are wanted.
  for (let isOver = false; !isOver; ) {
    const moment = (before + count) % 4 === 0 ? moments.drawStart() : moments.draw("work", mostWork);
    const { lines, isKilled } = await run(session, count < most ? moment : undefined);
    isOver = !isKilled;
    count += Number(isKilled);
    talking += Number(isKilled && lines.some(isTold));
    session = session === "" ? await findMade(home, place, lines) : session;
  }
  const { entries, problem } = await readAll(home, place, session as SessionId);
  const problems = [
    ...(problem === null ? [] : [`The chain is broken: ${JSON.stringify(problem)}`]),
    ...server.refusals.map(({ refusal }) => `The model refused: ${JSON.stringify(refusal)}`),
    ...told.filter((line) => !isThere(line, entries)).map((line) => `It was told, and is not there: ${line}`),
    ...missingFiles(await readdir(folder)),
  ];
  return { kills: count, talking, told: told.length, problems };
}

function isTold(line: string): boolean {
  return !line.startsWith("opened");
}

/** A session is made with its first message: what was killed before that has none. */
async function findMade(home: string, place: string, lines: readonly string[]): Promise<string> {
  const opened = lines.find((line) => line.startsWith("opened "))?.slice("opened ".length);
  if (opened === undefined) return "";
  await using store = await (await chooseStore({ home, store: place })).open();
  return (await store.log.list({ id: opened as SessionId })).sessions[0]?.id ?? "";
}

async function readAll(home: string, place: string, session: SessionId) {
  await using store = await (await chooseStore({ home, store: place })).open();
  const entries = await Array.fromAsync(store.log.read(session));
  return { entries, problem: (await store.log.verify(session)).problem };
}

function isThere(line: string, entries: readonly Entry[]): boolean {
  const [what, id] = line.split(" ");
  if (what === "end") return true;
  if (what !== "result") return entries.filter((entry) => entry.id === id).length === 1;
  const isResult = (entry: Entry) =>
    entry.kind === "message" && entry.parts.some((part) => part.type === "tool-result" && part.call === id);
  return entries.filter(isResult).length === 1;
}

function missingFiles(names: readonly string[]): readonly string[] {
  const wanted = Array.from({ length: steps }, (_, index) => `${index + 1}.txt`);
  return wanted.filter((name) => !names.includes(name)).map((name) => `${name} was never written`);
}
