import { resolve } from "node:path";
import { readCheckedOut } from "../git/git-facts.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { readOwnIdentity } from "../lib/process-identity.ts";
import { listRescueFolders } from "../lib/rescue-file.ts";
import { type RandomSource, systemRandom } from "../lib/uuid-v7.ts";
import type { Model } from "../model/model.ts";
import { findSession } from "../sessions/find-session.ts";
import type { SessionId } from "../sessions/ids.ts";
import { defineInput, defineTool } from "../tools/define-tool.ts";
import type { Tool, Toolbox } from "../tools/tool.ts";
import { openProject, type Surroundings, type WritableProject } from "../workspace/open-project.ts";
import { systemTicker, type Ticker } from "./auto-save.ts";
import type { Chat, ChatDesk, Draft, WorkPlace } from "./chat.ts";
import { openChat } from "./open-chat.ts";
import { checkSessionFile } from "./session-file.ts";

export interface ChatOptions extends Surroundings {
  /** Where keys and addresses of models come from, and the variables of commands that are run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** An open model, or the name of one; the user's own choice unless given. */
  readonly model?: Model | string;
  /** What the model is told before everything else; it is not recorded. */
  readonly system?: string;
  /** What a new session is called. */
  readonly name?: string;
  /** The session to go on with: an id, the beginning of one, a title, or `latest`. A new one unless given. */
  readonly session?: string;
  /** Seconds between the saves of what is not yet a message; 300 unless given, 0 for none. */
  readonly autoSaveInterval?: number;
  /** A file with a copy of the session, written at each save and read at the start; its name decides on the format. */
  readonly sessionFile?: string;
  /** What the model may do: nothing, or what a toolbox of the caller has; the tools for the folder unless given. */
  readonly tools?: "none" | Toolbox;
  readonly thinkingTokens?: number;
  readonly maxTokens?: number;
  /** Returns what is not yet a message, when it is saved from time to time. */
  readonly draft?: () => Draft;
  /** Is told why such a save failed; the next one is tried all the same. */
  readonly onTrouble?: (error: unknown) => void;
  readonly machine?: string;
  readonly version?: string;
  readonly leaseMs?: number;
  readonly clock?: Clock;
  readonly random?: RandomSource;
  readonly ticker?: Ticker;
}

const defaultInterval = 300;

/** Opens a chat in the project of a folder: a conversation with a model that is saved as it happens. */
export async function startChat(options: ChatOptions): Promise<Chat> {
  const here = await openProject(options, "write");
  try {
    return await openHere(here, options);
  } catch (error) {
    await here[Symbol.asyncDispose]();
    throw error;
  }
}

async function openHere(here: WritableProject, options: ChatOptions): Promise<Chat> {
  const { clock = systemClock, session, name } = options;
  const found =
    session === undefined
      ? undefined
      : await findSession(here.store.log, session, { project: here.project.id, now: clock.now() });
  let chat: Chat | undefined;
  const recall = makeRecallTool(here, { clock, asking: () => chat?.status.session });
  const desk = await makeDesk(here, options, { clock, recall });
  const file =
    options.sessionFile === undefined
      ? undefined
      : await checkSessionFile(here.home, resolve(options.cwd, options.sessionFile));
  chat = await openChat({
    desk,
    model: await openChosen(options, desk),
    ...(found === undefined ? {} : { session: found.id }),
    ...(name === undefined ? {} : { name }),
    autoSaveInterval: options.autoSaveInterval ?? defaultInterval,
    ticker: options.ticker ?? systemTicker,
    draft: options.draft ?? (() => ({ input: "" })),
    onTrouble: options.onTrouble ?? (() => undefined),
    ...(file === undefined ? {} : { file }),
    close: async () => here[Symbol.asyncDispose](),
  });
  return chat;
}

async function makeDesk(
  here: WritableProject,
  options: ChatOptions,
  { clock, recall }: { readonly clock: Clock; readonly recall: Tool },
): Promise<ChatDesk> {
  const { cwd, env, thinkingTokens, maxTokens, leaseMs } = options;
  const toolbox = await openTools(options, recall);
  const day = clock.now().toISOString().slice(0, 10);
  return {
    store: here.store,
    project: here.project.id,
    cwd,
    machine: options.machine ?? (await readOwnIdentity()).host,
    clock,
    random: options.random ?? systemRandom,
    version: options.version ?? "library",
    place: () => readPlace(here),
    rescueFolders: listRescueFolders(here.home, env, cwd),
    toolbox,
    openModel: async (name) => openNamed(here.home, env, name),
    system:
      options.system ??
      defaultSystem({ folder: cwd, branch: here.branch, day, hasTools: toolbox !== undefined }),
    ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
  };
}

async function openTools({ tools, cwd, env }: ChatOptions, recall: Tool): Promise<Toolbox | undefined> {
  if (tools === "none") return undefined;
  if (tools !== undefined) return tools;
  const { openToolbox } = await import("../tools/open-toolbox.ts");
  return openToolbox({ folder: cwd, env, more: [recall] });
}

async function openChosen(options: ChatOptions, desk: ChatDesk): Promise<Model> {
  const model = await chooseModel(options, desk);
  // Its SDK is loaded while the person types; what is wrong with it is told by the first request.
  model.prepare?.().catch(() => undefined);
  return model;
}

async function chooseModel({ model, env, home }: ChatOptions, desk: ChatDesk): Promise<Model> {
  if (typeof model === "object") return model;
  if (model !== undefined) return desk.openModel(model);
  const { chooseDefaultModel } = await import("../model/open-model.ts");
  const { readModelSettings } = await import("../workspace/read-model-settings.ts");
  return desk.openModel(chooseDefaultModel(await readModelSettings(home, env)));
}

async function openNamed(home: string, env: ChatOptions["env"], name: string): Promise<Model> {
  const { openModel } = await import("../model/open-model.ts");
  const { readModelSettings } = await import("../workspace/read-model-settings.ts");
  return openModel(name, await readModelSettings(home, env));
}

async function readPlace({ git }: WritableProject): Promise<WorkPlace> {
  if (git === undefined) return { branch: null, commit: null };
  const { branch, tip = null } = await readCheckedOut(git);
  return { branch, commit: tip };
}

/** What a model is told unless the user has other words for it. */
function defaultSystem({
  folder,
  branch,
  day,
  hasTools,
}: {
  readonly folder: string;
  readonly branch: string | null;
  readonly day: string;
  readonly hasTools: boolean;
}): string {
  return [
    "You are a careful software engineer who works with a person in a terminal.",
    `The work is in ${folder}${branch === null ? "" : `, on the branch ${branch}`}. Today is ${day}.`,
    "Answer in the person's language, briefly, in Markdown that reads well on a terminal.",
    ...(hasTools ? toolAdvice : []),
    "This conversation is saved as it happens and may be resumed later, by another model or after a crash. Where a result says that a call was interrupted, find out what it did before you repeat it.",
  ].join("\n");
}

const toolAdvice = [
  "Use the tools to look before you claim, and to check what you have changed. Paths are relative to that folder.",
  "The person is asked before anything is written or run. A call that was declined is not repeated: ask what to do instead.",
] as const;

/** Makes the tool with which a model asks what earlier sessions of the project know; its name marks its calls as Carryon's own. */
function makeRecallTool(
  { store, project }: WritableProject,
  { clock, asking }: { readonly clock: Clock; readonly asking: () => SessionId | undefined },
): Tool {
  return defineTool({
    name: "carryon_recall",
    effect: "reads",
    description: [
      "Answer a question from earlier sessions of this project: quotes the passages that fit best, each with its session, entry and day and with what was said beside it.",
      "Ask in plain words: why was something done, where is it, what was decided, what failed. Use it before you ask the person what an earlier session knows.",
    ].join(" "),
    input: defineInput({
      question: { type: "string", least: 1, description: "The question, in plain words." },
      budget: {
        type: "integer",
        least: 100,
        optional: true,
        description: "At most about so many tokens, up to 5000; 1000 unless given.",
      },
    }),
    describe: ({ question }) => question,
    run: async ({ question, budget = 1000 }) => {
      const { recall } = await import("../memory/recall.ts");
      const { quote } = await import("../memory/quote.ts");
      const now = clock.now();
      const { searchIn } = await import("../memory/digest-lines.ts");
      const record = { log: store.log, now, search: searchIn(store, project.id, now) };
      const request = { question, budget: Math.min(budget, 5000), except: asking() };
      const { said, quoted } = await recall(record, request);
      return quote(said, quoted);
    },
  });
}
