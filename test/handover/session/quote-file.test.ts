import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeSpansOf } from "../../../src/handover/documents/find-drift.ts";
import { toItem } from "../../../src/handover/list-items.ts";
import { quoteFile, unquoteFile } from "../../../src/handover/session/quote-file.ts";
import { anyCharacter } from "../../support/any-character.ts";

describe("the name of a file in a document", () => {
  it.each([
    { file: "src/a.ts", code: "`src/a.ts`" },
    { file: "c`d.ts", code: "`` c`d.ts ``" },
    { file: "two\nlines", code: '`"two\\nlines"`' },
    { file: "\u001b[31m", code: '`"\\u001b[31m"`' },
    { file: "next\u0085line", code: '`"next\\u0085line"`' },
    { file: '"quoted"', code: '`"\\"quoted\\""`' },
    { file: "`` x", code: '`"\\u0060\\u0060 x"`' },
  ])("is $code", ({ file, code }) => {
    expect(quoteFile(file)).toBe(code);
  });

  it("is read back as it was", () => {
    const names = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom("`", '"', "\n", "\u001b", " ", "\\", "/"),
          fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }),
        ),
        minLength: 1,
        maxLength: 40,
      })
      .filter((name) => !name.includes("\0"));
    fc.assert(
      fc.property(names, (name) => {
        expect(codeSpansOf(toItem(quoteFile(name))).map(unquoteFile)).toEqual([name]);
      }),
    );
  });

  it.each(['"', '"a', '"a"b"', "a"])("is what stands there if that is no JSON string: %s", (code) => {
    expect(unquoteFile(code)).toBe(code);
  });
});
