import type { Model, ModelEvent, ModelReply } from "../../src/model/model.ts";
import type { ModelSettings } from "../../src/model/open-model.ts";
import type { Pace } from "../../src/model/retry.ts";
import { type ModelServer, openModelServer } from "./model-server/open-model-server.ts";
import type { Scenario, Step } from "./model-server/scenario.ts";

/** The key that the models of these tests are opened with. */
export const secretKey = "sk-test-0123456789abcdefghijklmnop";

/** Opens a model of one provider that talks to a server. */
export type OpenForTest = (url: string, settings: ModelSettings) => Model;

/** A scripted server and a model that asks it. */
export interface ModelWorld extends AsyncDisposable {
  readonly server: ModelServer;
  readonly model: Model;
}

/** Starts a server with these rules, and opens a model that asks it. */
export async function serve(
  open: OpenForTest,
  rules: Scenario["rules"],
  settings: ModelSettings = {},
): Promise<ModelWorld> {
  const server = await openModelServer({ rules });
  return {
    server,
    model: open(server.url, settings),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Does the same for one answer, to prompts that say `go`. */
export function serveOne(open: OpenForTest, step: Step, settings?: ModelSettings): Promise<ModelWorld> {
  return serve(open, [{ when: "go", steps: [step] }], settings);
}

/** Returns what was told before the reply was whole. */
export function joinTold(events: readonly ModelEvent[]) {
  const text = (wanted: "text" | "thinking") =>
    events.flatMap((event) => (event.type === wanted ? [event.text] : [])).join("");
  const calls = events.flatMap((event) => (event.type === "call" ? [event.name] : []));
  return { text: text("text"), thinking: text("thinking"), calls };
}

/** Returns the reply, which must be the last of the events. */
export function replyOf(events: readonly ModelEvent[]): ModelReply | undefined {
  const last = events.at(-1);
  return last?.type === "reply" ? last.reply : undefined;
}

/** Opens a model that waits for nothing, and tells how long it would have waited. */
export function openPaced(open: OpenForTest, url: string) {
  const waits: number[] = [];
  const pace: Pace = {
    now: () => Date.parse("2026-11-17T12:00:00Z"),
    random: () => 0,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
  };
  return { model: open(url, { pace }), waits };
}
