import { createSecretKey } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { unveil } from "../../src/redaction/unveil.ts";
import { expectHidden, unmark, withoutKinds } from "./marked-texts.ts";
import { drawFake, makeRandom } from "./seeded-random.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));
const token = drawFake("ghp_<base62:36>", makeRandom(11)).text;
const split = (sign: string): string =>
  `${token.slice(0, 9)}${sign}${token.slice(9, 20)}${sign}${token.slice(20)}`;

describe("secrets behind a veil", () => {
  it.each([
    "DB_PASSWORD=\u001b[32m«sunshine»\u001b[0m",
    "\u001b[1mDB_PASSWORD\u001b[0m=\u001b[38;5;12m«sunshine»\u001b[0m\n",
    "\u001b[1mPassword\u001b[0m: \u001b[32m«hunter22»\u001b[0m",
    String.raw`{"out":"\u001b[1mPassword\u001b[0m: \u001b[32m«hunter22»\u001b[0m"}`,
    String.raw`echo -e "\033[1mpassword:\033[0m «hunter22»"`,
    "password:\u00a0«hunter22»",
    "password\u00a0=\u00a0«hunter22»",
    "password:\u3000«hunter22»",
    "pass\u200bword: «hunter22»",
    "API_KEY\ufeff=«abc1def2ghi3jkl4»",
    String.raw`{"pass\u0077ord":"«sunshine»"}`,
    String.raw`{"password":"«sunshin\u0065»"}`,
    String.raw`{\"pass\\u0077ord\":\"«sunshine»\"}`,
    String.raw`\u0022password\u0022:\u0022«sunshine»\u0022`,
    `a «${split("\u200b")}» b`,
    `a «${split("\u00ad")}» b`,
    `a «${split("\u001b[31m")}» b`,
    `a «${split("\u2060")}»\u2060 b`,
  ])("are replaced: %j", (marked) => {
    expect(withoutKinds(redactText(unmark(marked)))).toBe(expectHidden(marked));
  });

  it.each([
    "naïve\u00a0: le mot de passe est\u00a0obligatoire",
    "\u001b[32mpassword\u001b[0m is \u001b[1mrequired\u001b[0m",
    String.raw`"html": "\u003cinput type=\u0022password\u0022\u003e"`,
    "👩\u200d👩\u200d👧 token: 👍🏽\ufe0f",
  ])("leave others as they are: %j", (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe("unveiling", () => {
  it("knows nothing to do for a plain text", () => {
    expect(unveil("plain")).toEqual([]);
    expect(unveil("Grüße, 世界 👩")).toEqual([]);
  });

  it("looks only at the lines around a veil", () => {
    const lines = (count: number): string => "line\n".repeat(count);
    const text = `${lines(5)}a\u200bb\n${lines(5)}c\u00a0d`;
    expect(unveil(text).map((plain) => plain.text)).toEqual(["line\nab\nline", "line\nc d"]);
  });

  it("leads from each place of the plain text back to the same character", () => {
    const unit = fc.constantFrom("a", "é", "👩", "\u200b", "\u001b[1m", "\u00a0", "\\", "\n", "\n\n\n");
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join("");
        for (const plain of unveil(text)) {
          const ranges = Array.from({ length: plain.text.length }, (_, at) => plain.rangeOf(at));
          const back = ranges.map(({ start, end }) => text.slice(start, end)).join("");
          expect(back.replaceAll("\u00a0", " ")).toBe(plain.text);
        }
      }),
    );
  });

  it("reaches every veil of a line without end", () => {
    const row = `${"a ".repeat(3000)}«${split("\u200b")}» `;
    const marked = `${row.repeat(4)}${"a ".repeat(3000)}`;
    expect(withoutKinds(redactText(unmark(marked)))).toBe(expectHidden(marked));
  });
});
