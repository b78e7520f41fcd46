import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderJson } from "../../src/cli/command-context.ts";
import { anyCharacter } from "../support/any-character.ts";

describe("JSON for a terminal", () => {
  it("means the same value, on one line, with nothing hidden in it", () => {
    const anyText = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: anyCharacter }), anyText, (value, text) => {
        const json = renderJson({ value, text });
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
        expect(json).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });

  it("spells hidden characters out, those outside the basic plane as two units", () => {
    expect(renderJson("a\u009B\u202E\u{E0041}\uD800z")).toBe('"a\\u009b\\u202e\\udb40\\udc41\\ud800z"');
  });
});
