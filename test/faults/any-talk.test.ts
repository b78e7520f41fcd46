import fc from "fast-check";
import { expect, it } from "vitest";
import type { Chat } from "../../src/chat/chat.ts";
import { readStretch } from "../../src/chat/read-stretch.ts";
import { toModelMessages } from "../../src/chat/to-model-messages.ts";
import type { TestLog } from "../contract/test-log.ts";
import { complaints } from "../support/complaints.ts";
import { openTestChat } from "../support/open-test-chat.ts";
import { type Scripted, scriptedModel } from "../support/scripted-model.ts";
import { scriptedTools } from "../support/scripted-tools.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

const name = "openai/model-x";

/** What a person does: says something that they may stop or turn away from, or one of the commands. */
type Action =
  | {
      readonly type: "say";
      readonly answers: readonly Scripted[];
      readonly approval: "yes" | "no" | "always";
      /** After so many events it is stopped, or nobody listens any more. */
      readonly until: { readonly events: number; readonly how: "stop" | "leave" } | undefined;
    }
  | { readonly type: "reset" | "compact" | "save" | "rename" | "resume" };

const anyAnswer: fc.Arbitrary<Scripted> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ text: fc.constantFrom("Fine.", "One two three", " ", "") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      calls: fc.array(
        fc.record({
          call: fc.constantFrom("1", "2", "call.x"),
          name: fc.constantFrom("look", "write", "run", "break", "gone"),
          input: fc.constantFrom<null | object>(null, {}, { path: "a" }) as fc.Arbitrary<never>,
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Scripted>({ text: "I beg", error: new Error("lost") }) },
  { weight: 1, arbitrary: fc.constant<Scripted>({ error: new Error("refused") }) },
  { weight: 1, arbitrary: fc.constant<Scripted>({ thinking: "Hm", text: "So", hangs: true }) },
);

const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant("say" as const),
      answers: fc.array(anyAnswer, { minLength: 1, maxLength: 4 }),
      approval: fc.constantFrom("yes" as const, "no" as const, "always" as const),
      until: fc.option(
        fc.record({
          events: fc.integer({ min: 1, max: 8 }),
          how: fc.constantFrom("stop" as const, "leave" as const),
        }),
        { nil: undefined },
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constantFrom("reset", "compact", "save", "rename", "resume") }),
  },
);

it("whatever is said, stopped, lost and resumed, what is on disk is what the model is told, and the API takes it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyAction, { minLength: 1, maxLength: 8 }), async (actions) => {
      await using test = await openSqliteTestLog();
      const run = new Run(test);
      for (const action of actions) await run.act(action);
      await run.check();
      await run.end();
    }),
    { numRuns: 60 },
  );
});

/** A chat, and the answers that its model has left. */
class Run {
  readonly #test: TestLog;
  readonly #model;
  #answers: Scripted[] = [];
  #chat: Chat | undefined;

  constructor(test: TestLog) {
    this.#test = test;
    this.#model = scriptedModel(
      ({ system, messages }) => {
        expect(complaints(messages)).toEqual([]);
        if (system?.startsWith("You write records")) return { text: "The record." };
        return this.#answers.shift() ?? { text: "Nothing more." };
      },
      { name },
    );
  }

  async act(action: Action): Promise<void> {
    const chat = await this.#open();
    switch (action.type) {
      case "say":
        return this.#say(chat, action);
      case "reset":
        return chat.reset({ input: "" });
      case "compact":
        await chat.compact(new AbortController().signal);
        return;
      case "save":
        return chat.save({ input: `typed ${Math.random()}` });
      case "rename":
        return chat.rename("Another title");
      case "resume": {
        await this.end();
        const { sessions } = await this.#test.log.list();
        const [session] = sessions;
        this.#chat = await this.#openChat(session?.id);
      }
    }
  }

  async check(): Promise<void> {
    const chat = await this.#open();
    const { status } = chat;
    const [session] = (await this.#test.log.list({ id: status.session })).sessions;
    if (session === undefined) return;
    const { entries, messages } = await readStretch(this.#test.log, session);
    expect(messages).toBe(status.messages);
    const told = toModelMessages(chat.recent(Number.POSITIVE_INFINITY), name);
    expect(toModelMessages(entries, name)).toEqual(told);
    expect(told.length === 0 ? [] : complaints(told)).toEqual([]);
    expect((await this.#test.log.verify(session.id)).problem).toBe(null);
  }

  async end(): Promise<void> {
    await (await this.#open()).end({ input: "" }, "ended");
  }

  async #open(): Promise<Chat> {
    this.#chat ??= await this.#openChat(undefined);
    return this.#chat;
  }

  #openChat(session: Chat["status"]["session"] | undefined): Promise<Chat> {
    const done = async () => ({ output: "done", failed: false });
    const toolbox = scriptedTools({
      ...{ look: done, write: done, run: done },
      break: () => Promise.reject(new Error("broken")),
    });
    const options = { model: this.#model, toolbox };
    return openTestChat(this.#test, session === undefined ? options : { ...options, session });
  }

  async #say(chat: Chat, { answers, approval, until }: Extract<Action, { type: "say" }>): Promise<void> {
    this.#answers = [...answers];
    const stop = new AbortController();
    // One that waits for ever is stopped some day.
    const timer = setTimeout(() => stop.abort(), until === undefined ? 30 : 60);
    let events = 0;
    try {
      for await (const _event of chat.say("Go on", { signal: stop.signal, approve: async () => approval })) {
        events += 1;
        if (events !== until?.events) continue;
        if (until.how === "leave") break;
        stop.abort();
      }
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
      expect(["lost", "refused"]).toContain((error as Error).message);
    } finally {
      clearTimeout(timer);
    }
  }
}
