import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { toEvent } from "../../src/hooks/to-event.ts";
import { parseWireEvent } from "../../src/hooks/wire.ts";

const samples = globSync("test/fixtures/hook-payloads/claude-code/*/*.json").toSorted();
const starting = ["SessionStart", "Stop", "SessionEnd"];
const recorded = [
  ...starting,
  ...["UserPromptSubmit", "UserPromptExpansion", "PreToolUse", "PostToolUse", "PostToolUseFailure"],
  ...["PostToolBatch", "SubagentStop", "PreCompact", "PostCompact"],
];

describe("a payload that Claude Code really wrote", () => {
  it("is there for both versions", () => {
    expect(samples.length).toBeGreaterThan(90);
  });

  it.each(samples)("is recorded whole or not at all: %s", (file) => {
    const [event = ""] = basename(file, ".json").split("-");
    const text = readFileSync(file, "utf8");
    const wire = parseWireEvent(text);
    const { hook_event_name: _name, session_id: session, ...payload } = JSON.parse(text);
    expect(wire && toEvent(wire)).toEqual(
      recorded.includes(event)
        ? { client: "claude-code", event, session, payload, startsSync: starting.includes(event) }
        : undefined,
    );
  });
});
