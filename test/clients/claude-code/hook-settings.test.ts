import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addHooks,
  describeBefore,
  listHookCommands,
  recordedEvents,
  removeHooks,
} from "../../../src/clients/claude-code/hook-settings.ts";
import { parseJsonc, toValue } from "../../../src/lib/jsonc/parse-jsonc.ts";
import { cases } from "../../support/cases.ts";

const command = "'/usr/bin/node' '/home/me/.carryon/bin/carryon-hook.cjs' || exit 0";
const group = { hooks: [{ type: "command", command }] };
const valueIn = (text: string) => toValue(parseJsonc(text)) as Record<string, unknown>;

describe("adding hooks to settings", () => {
  it("makes settings of nothing but hooks in a file that holds nothing", () => {
    const text = addHooks("{}\n", command);
    expect(JSON.parse(text)).toEqual({ hooks: Object.fromEntries(recordedEvents.map((e) => [e, [group]])) });
    expect(text).toBe(
      `${JSON.stringify(JSON.parse(text), null, 2).replaceAll(/\{\n\s+("type": "command"),\n\s+("command": ".*")\n\s+\}/g, "{ $1, $2 }")}\n`,
    );
  });

  it("keeps the hooks, comments and order of others", () => {
    const text = `{
    // mine
    "model": "opus", // the best
    "hooks": {
        "Stop": [
            { "hooks": [{ "type": "command", "command": "say done" }] } // loud
        ],
    },
}
`;
    expect(addHooks(text, "X carryon-hook.cjs").slice(0, 360)).toBe(`{
    // mine
    "model": "opus", // the best
    "hooks": {
        "Stop": [
            { "hooks": [{ "type": "command", "command": "say done" }] }, // loud
            {
                "hooks": [
                    { "type": "command", "command": "X carryon-hook.cjs" }
                ]
            }
        ],
        "SessionStart": [
            {
`);
  });

  it("replaces a hook of ours that runs something else", () => {
    const old = addHooks('{"a":1}', "old carryon-hook.cjs");
    expect(addHooks(old, command)).toBe(addHooks('{"a":1}', command));
  });

  it.each(['{"hooks": []}', '{"hooks": {"Stop": {}}}', "[]", "1"])("refuses %s", (text) => {
    expect(() => addHooks(text, command)).toThrow(expect.objectContaining({ code: "bad-settings" }));
  });

  it.each(["", "{", '{"a":1,,}', "{'a':1}", '{"a" 1}', '{"a":1} x', "{/* }", '{"a":01}'])(
    "refuses %j",
    (text) => {
      expect(() => addHooks(text, command)).toThrow(expect.objectContaining({ code: "bad-json" }));
    },
  );
});

describe("removing hooks from settings", () => {
  it("leaves what others put into the same group", () => {
    const text = `{"hooks":{"Stop":[{"hooks":[{"command":"mine"},{"command":"carryon-hook.cjs"}]}]}}`;
    expect(removeHooks(text)).toBe(`{"hooks":{"Stop":[{"hooks":[{"command":"mine"}]}]}}`);
  });

  it("takes out all of them when another program has written the file anew", () => {
    const rewritten = JSON.stringify(valueIn(addHooks('{\n\t"a": 1\n}', command)), null, 2);
    expect(removeHooks(rewritten)).toBe('{\n  "a": 1\n}');
  });

  it("changes nothing where there are none", () => {
    const text = '{"hooks":{"Stop":[]}, /* a */ "b":[],}';
    expect(removeHooks(text)).toBe(text);
    expect(listHookCommands(text)).toEqual([]);
  });
});

/** Settings in any layout: blanks, comments and commas at the end wherever they may stand. */
const blank = fc.oneof(
  { arbitrary: fc.constantFrom("", " ", "\n", "\n  ", "\n    ", "\t"), weight: 8 },
  {
    arbitrary: fc.constantFrom("// note\n", "/* a, { */", "/* two\nlines */ ", " // x\n  ", "/**/"),
    weight: 2,
  },
);
const listOf = (open: string, close: string, items: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.array(fc.tuple(blank, items, blank), { maxLength: 3 }), blank, fc.boolean())
    .map(([all, inner, comma]) => {
      const joined = all.map((each) => each.join("")).join(",");
      return `${open}${joined}${comma && all.length > 0 ? "," : ""}${inner}${close}`;
    });
const memberOf = (key: fc.Arbitrary<string>, value: fc.Arbitrary<string>) =>
  fc.tuple(key, blank, blank, value).map(([name, a, b, text]) => `${JSON.stringify(name)}${a}:${b}${text}`);
const scalar = fc.oneof(
  fc.string().map((text) => JSON.stringify(text)),
  fc.constantFrom("1", "true", "null", "-2.5e3"),
);
const theirGroup = fc.constantFrom(
  '{"hooks":[{"type":"command","command":"say // hi"}]}',
  '{ "matcher": "Bash", "hooks": [] }',
  "{}",
);
const eventName = fc.constantFrom("Stop", "PreToolUse", "Notification", "SessionEnd");
const hooks = listOf("{", "}", memberOf(eventName, listOf("[", "]", theirGroup)));
const other = memberOf(
  fc.constantFrom("model", "env", "a"),
  fc.oneof(scalar, listOf("[", "]", scalar), listOf("{", "}", memberOf(fc.string(), scalar))),
);
const settings = fc
  .tuple(
    blank,
    listOf("{", "}", fc.oneof(other, memberOf(fc.constant("hooks"), hooks))),
    blank,
    fc.boolean(),
    fc.boolean(),
  )
  .map(([before, text, after, windows, mark]) => {
    const whole = `${before}${text}${after}`;
    return (mark ? "\uFEFF" : "") + (windows ? whole.replaceAll("\n", "\r\n") : whole);
  })
  // Of two members with one key only the last counts.
  .filter((text) => {
    const { children } = parseJsonc(text);
    const list = children.find(({ key }) => key === "hooks")?.node.children ?? [];
    return [children, list].every((each) => new Set(each.map(({ key }) => key)).size === each.length);
  });

describe("settings that are hard to give back", () => {
  it("have two lists on one line", () => {
    const text = '{"hooks":{"Stop":[\t],"SessionEnd":[// note\n]}}';
    expect(removeHooks(addHooks(text, command), describeBefore(text))).toBe(text);
  });
});

describe("any settings", () => {
  it("are byte for byte what they were when hooks are added and removed", () => {
    fc.assert(
      fc.property(settings, (text) => {
        const added = addHooks(text, command);
        expect(addHooks(added, command)).toBe(added);
        expect(listHookCommands(added)).toEqual([command]);
        expect(listHookCommands(removeHooks(added))).toEqual([]);
        expect(removeHooks(added, describeBefore(text))).toBe(text);
      }),
      { numRuns: cases(1000) },
    );
  });

  it("keep the values of others, and gain one hook at each event", () => {
    fc.assert(
      fc.property(settings, (text) => {
        const { hooks: before = {}, ...others } = valueIn(text) as { hooks?: Record<string, unknown[]> };
        const { hooks: after, ...kept } = valueIn(addHooks(text, command));
        const wanted = recordedEvents.map((event) => [event, [...(before[event] ?? []), group]]);
        expect(kept).toEqual(others);
        expect(after).toEqual({ ...before, ...Object.fromEntries(wanted) });
      }),
      { numRuns: cases(300) },
    );
  });
});
