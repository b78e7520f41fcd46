import { describe, expect, it } from "vitest";
import { longText } from "./long-text.ts";
import { openModelServer } from "./open-model-server.ts";
import type { Scenario, Step } from "./scenario.ts";
import { twoClients } from "./two-clients.ts";

const scenarioOf = (step: Step): Scenario => ({ rules: [{ when: "go", steps: [step] }] });

describe.each(twoClients)("a scripted reply, told to a client of $name,", ({ stream, ask, name }) => {
  it("can be long, and comes in words then", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Once.", long: 500 }));
    const pieces = await Array.fromAsync(stream(server, "go"));
    expect(pieces).toHaveLength(501);
    expect(pieces.join("")).toBe(`Once.\n\n${longText(500)}`);
  });

  it("keeps every blank where it comes in words at a pace", async () => {
    const text = "  One\n\n\ttwo  three \n";
    await using server = await openModelServer(scenarioOf({ text, pace: 1 }));
    expect(await Array.fromAsync(stream(server, "go"))).toEqual(["  One", "\n\n\ttwo", "  three \n"]);
  });

  it("is cut in two at a pace where it is one word", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Hello", pace: 1 }));
    expect(await Array.fromAsync(stream(server, "go"))).toEqual(["Hel", "lo"]);
  });

  it.each([
    { end: "length" as const, reasons: { Anthropic: "max_tokens", OpenAI: "length" } },
    { end: "refused" as const, reasons: { Anthropic: "refusal", OpenAI: "content_filter" } },
  ])("can end for another reason: $end", async ({ end, reasons }) => {
    await using server = await openModelServer(scenarioOf({ text: "Half of", end }));
    const said = JSON.stringify(await (await ask(server, "go")).json());
    expect(said).toContain(`_reason":"${reasons[name as keyof typeof reasons]}"`);
  });

  it("tells which requests were refused", async () => {
    await using server = await openModelServer(
      scenarioOf({ text: "Yes.", error: { status: 400, times: 1 } }),
    );
    expect((await ask(server, "go")).status).toBe(400);
    expect((await ask(server, "go")).status).toBe(200);
    expect(server.refusals).toEqual([]);
    expect((await ask(server, "go", { messages: "go" })).status).toBe(400);
    expect(server.refusals).toEqual([server.requests[2]]);
    expect(server.refusals[0]?.refusal).toMatch(/messages/);
  });
});
