import { mkdir, realpath } from "node:fs/promises";
import type { Chat } from "../../src/chat/chat.ts";
import { type ChatOptions, startChat } from "../../src/chat/start-chat.ts";
import { openStoreForReading } from "../../src/storage/open-store.ts";
import { collect } from "./entries.ts";
import { type ModelServer, openModelServer } from "./model-server/open-model-server.ts";
import type { Scenario } from "./model-server/scenario.ts";
import { withoutEnvelope } from "./open-test-chat.ts";
import { tempDir } from "./temp-dir.ts";

/** The names of a model that the scripted server plays, one for each protocol. */
export const models = ["anthropic/claude-test", "openai/gpt-test"] as const;

/** A folder, a home and a scripted model. */
export interface ChatWorld extends AsyncDisposable {
  readonly server: ModelServer;
  /** The folder that the tools work in. */
  readonly folder: string;
  readonly options: Pick<ChatOptions, "cwd" | "home" | "env" | "machine">;
  /** Starts a chat over the real SDK of a provider. */
  start(options?: Partial<ChatOptions>): Promise<Chat>;
  /** Reads what a session says, without what differs from run to run. */
  read(session: Chat["status"]["session"]): Promise<readonly object[]>;
}

/** Makes a world in which a model says what a scenario tells it to say. */
export async function openChatWorld(scenario: Scenario): Promise<ChatWorld> {
  const dir = await tempDir();
  const server = await openModelServer(scenario);
  const folder = dir.join("work");
  await mkdir(folder);
  const env = {
    ...{ PATH: process.env.PATH, HOME: dir.path, CARRYON_HOME: dir.join("home") },
    ...{ ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: server.url },
    ...{ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${server.url}/v1` },
  };
  const options = { cwd: await realpath(folder), home: dir.join("home"), env, machine: "here" };
  return {
    ...{ server, folder, options },
    start: (more) => startChat({ ...options, autoSaveInterval: 0, model: models[0], ...more }),
    read: async (session) => {
      await using store = await openStoreForReading(options.home);
      return (await collect(store.log.read(session))).map(withoutEnvelope);
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}
