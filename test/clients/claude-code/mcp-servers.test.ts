import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addServer,
  forgetAnswers,
  hasEmptyServers,
  judgeServer,
  removeServer,
} from "../../../src/clients/claude-code/mcp-servers.ts";

const program = "/home/ada/.carryon/bin/carryon";
const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant([1]));
const servers = fc.dictionary(
  fc.string().filter((name) => name !== "carryon" && name !== "__proto__"),
  value,
);

describe("a list of servers", () => {
  it("has ours with all that was there, and is the same text without it", () => {
    const anyList = fc.record({ mcpServers: servers, other: value }, { requiredKeys: [] });
    fc.assert(
      fc.property(anyList, fc.constantFrom(undefined, 2, "\t"), (list, indent) => {
        const text = JSON.stringify(list, undefined, indent);
        const added = addServer(text, program);
        expect(JSON.parse(added)).toEqual({
          ...list,
          mcpServers: { ...list.mcpServers, carryon: { command: program, args: ["mcp"] } },
        });
        expect([judgeServer(text, program), judgeServer(added, program)]).toEqual(["missing", "current"]);
        expect(addServer(added, program)).toBe(added);
        expect(removeServer(added, { keepList: hasEmptyServers(text) })).toBe(text);
      }),
    );
  });

  it.each([
    { entry: { command: "/old/bin/carryon", args: ["mcp"] }, standing: "outdated" },
    { entry: { command: "carryon", args: ["mcp"] }, standing: "foreign" },
    { entry: { command: program, args: ["mcp", "--more"] }, standing: "foreign" },
    { entry: { command: program }, standing: "foreign" },
    { entry: { url: "https://example.com" }, standing: "foreign" },
    { entry: null, standing: "foreign" },
  ])("knows whose server has our name: $entry", ({ entry, standing }) => {
    expect(judgeServer(JSON.stringify({ mcpServers: { carryon: entry } }), program)).toBe(standing);
  });

  it("gets our program in place of an older one", () => {
    const old = addServer('{\n  "mcpServers": {}\n}\n', "/old/bin/carryon");
    expect(addServer(old, program)).toBe(addServer('{\n  "mcpServers": {}\n}\n', program));
  });

  it.each(["[]", '{"mcpServers": []}', '{"mcpServers": "x"}'])("is refused where it is none: %s", (text) => {
    expect(() => addServer(text, program)).toThrow("is not an object.");
  });
});

describe("what the client was told of our server", () => {
  it.each([
    { settings: { enabledMcpjsonServers: ["carryon"] }, left: {} },
    {
      settings: { enabledMcpjsonServers: ["a", "carryon", "b"] },
      left: { enabledMcpjsonServers: ["a", "b"] },
    },
    { settings: { model: "opus", disabledMcpjsonServers: ["carryon"] }, left: { model: "opus" } },
    { settings: { enabledMcpjsonServers: "carryon" }, left: { enabledMcpjsonServers: "carryon" } },
    { settings: { enabledMcpjsonServers: ["carryon2"] }, left: { enabledMcpjsonServers: ["carryon2"] } },
  ])("is forgotten, and nothing else: $settings", ({ settings, left }) => {
    expect(JSON.parse(forgetAnswers(JSON.stringify(settings, undefined, 2)))).toEqual(left);
  });
});
