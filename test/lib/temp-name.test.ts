import fc from "fast-check";
import { expect, it } from "vitest";
import { makeTempName, parseTempName, placeOf } from "../../src/lib/atomic-file.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { fixedOwner } from "../support/fixed-owner.ts";

const { owner, random } = fixedOwner;

it("names the file, its maker and a random number", () => {
  expect(makeTempName("state.json", owner, random)).toBe(
    `.state.json.${placeOf(owner)}-4711-42-0707070707070707.carryon-tmp`,
  );
});

it("returns the maker of any name it made, and fits into every folder", () => {
  const base = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString());
  const identity = fc.record({
    pid: fc.integer({ min: 1, max: 2 ** 31 }),
    started: fc.option(fc.integer({ min: 1 }).map(String)),
    boot: fc.option(fc.string()),
    host: fc.string(),
    machine: fc.option(fc.string()),
    pidNamespace: fc.option(fc.string()),
  });
  fc.assert(
    fc.property(base, identity, (text, maker) => {
      const name = makeTempName(text, maker, systemRandom);
      expect(parseTempName(name)).toEqual({ place: placeOf(maker), pid: maker.pid, started: maker.started });
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    }),
  );
});

it.each([{ host: "h2" }, { machine: null }, { boot: "b2" }, { pidNamespace: "pid:[2]" }])(
  "gives another place another name: %j",
  (other) => {
    expect(placeOf({ ...owner, ...other })).not.toBe(placeOf(owner));
  },
);

it.each([
  "state.json",
  ".state.json.carryon-tmp",
  ".state.json.0123456789ab-1-2-0123456789abcdef.carryon-tmp.bak",
  "state.json.0123456789ab-1-2-0123456789abcdef.carryon-tmp",
  ".state.json.0123456789ab-x-2-0123456789abcdef.carryon-tmp",
  ".state.json.0123456789ab-1-2-0123.carryon-tmp",
])("does not take %s for one of its names", (name) => {
  expect(parseTempName(name)).toBeUndefined();
});
