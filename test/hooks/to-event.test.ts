import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { parseWireEvent, toEvent } from "../../src/hooks/wire.ts";

const samples = globSync("test/fixtures/hook-payloads/claude-code/*/*.json").toSorted();
const fates: Readonly<Record<string, object>> = {
  SessionStart: { startsSync: false, asks: "carryon" },
  UserPromptSubmit: { startsSync: false, asks: "nobody" },
  UserPromptExpansion: { startsSync: false, asks: "gates-if-any" },
  PreToolUse: { startsSync: false, asks: "gates-if-any" },
  PostToolUse: { startsSync: false, asks: "gates-if-any" },
  PostToolUseFailure: { startsSync: false, asks: "gates-if-any" },
  PostToolBatch: { startsSync: false, asks: "nobody" },
  SubagentStop: { startsSync: false, asks: "nobody" },
  PreCompact: { startsSync: true, asks: "nobody" },
  PostCompact: { startsSync: false, asks: "nobody" },
  Stop: { startsSync: true, asks: "gates-if-any" },
  SessionEnd: { startsSync: true, asks: "gates" },
};

describe("a payload that Claude Code really wrote", () => {
  it("is there for both versions", () => {
    expect(samples.length).toBeGreaterThan(90);
  });

  it.each(samples)("is recorded whole or not at all: %s", (file) => {
    const [event = ""] = basename(file, ".json").split("-");
    const text = readFileSync(file, "utf8");
    const wire = parseWireEvent(text);
    const { hook_event_name: _name, session_id: session, ...payload } = JSON.parse(text);
    const fate = fates[event];
    expect(wire && toEvent(wire)).toEqual(
      fate && { client: "claude-code", event, session, payload, ...fate },
    );
  });
});
