import { describe, expect, it } from "vitest";
import { startChat } from "../../src/chat/start-chat.ts";
import { models, openChatWorld } from "../support/chat-world.ts";
import { sayAll } from "../support/open-test-chat.ts";

const hello = { rules: [], otherwise: { text: "Hello" } };

describe("a chat", () => {
  // Seed 4: 4.1, 5.4, 5.7
  it.each([
    { given: {}, every: [300_000] },
    { given: { autoSaveInterval: 20 }, every: [20_000] },
    { given: { autoSaveInterval: 0 }, every: [] },
  ])(
    "saves in the background every $every ms where $given is given, until it ends",
    async ({ given, every }) => {
      await using world = await openChatWorld(hello);
      const begun: number[] = [];
      let stopped = 0;
      const ticker = (ms: number) => {
        begun.push(ms);
        return () => {
          stopped += 1;
        };
      };
      const chat = await startChat({ ...world.options, model: models[0], ticker, ...given });
      await chat.end({ input: "" }, "ended");
      expect({ begun, stopped }).toEqual({ begun: every, stopped: every.length });
    },
  );

  // Seed 4: 3.3, 5.6
  it("tells the model its system prompt of this start, and records none", async () => {
    await using world = await openChatWorld(hello);
    const first = await world.start({ system: "Answer like a pirate." });
    await sayAll(first, "Hi");
    await first.end({ input: "" }, "ended");
    const { session } = first.status;
    await using second = await world.start({ system: "Answer like a judge.", session });
    await sayAll(second, "Hi again");
    const told = world.server.requests.map(({ body }) => JSON.stringify(body).match(/like a (\w+)/)?.[1]);
    expect(told).toEqual(["pirate", "judge"]);
    expect(JSON.stringify(await world.read(session))).not.toContain("Answer like");
  });
});
