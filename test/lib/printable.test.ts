import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toPrintable, toPrintableLine } from "../../src/lib/printable.ts";
import { anyCharacter } from "../support/any-character.ts";
import { cases } from "../support/cases.ts";

const ESC = "\u001B";
const BEL = "\u0007";
const tags = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

/** England, Scotland and Wales. */
const countryFlags = ["gbeng", "gbsct", "gbwls"].map((place) => `\u{1F3F4}${tags(place)}\u{E007F}`);

describe("payloads", () => {
  it.each([
    ["a colour", `${ESC}[31mred${ESC}[0m`, "^[[31mred^[[0m"],
    ["cursor up and erase", `${ESC}[1A${ESC}[2Kfake`, "^[[1A^[[2Kfake"],
    ["clear screen and scrollback", `${ESC}[2J${ESC}[3J${ESC}[H`, "^[[2J^[[3J^[[H"],
    ["full reset", `${ESC}c`, "^[c"],
    ["alternate screen", `${ESC}[?1049h`, "^[[?1049h"],
    ["bracketed paste ends", `${ESC}[201~rm`, "^[[201~rm"],
    ["report of the cursor", `${ESC}[6n`, "^[[6n"],
    ["report of the title", `${ESC}[21t`, "^[[21t"],
    ["hidden text", `${ESC}[8msecret`, "^[[8msecret"],
    ["OSC title with BEL", `${ESC}]0;owned${BEL}`, "^[]0;owned^G"],
    ["OSC title with ST", `${ESC}]2;owned${ESC}\\`, "^[]2;owned^[\\"],
    [
      "OSC 8 link",
      `${ESC}]8;;http://evil.test${ESC}\\x${ESC}]8;;${ESC}\\`,
      "^[]8;;http://evil.test^[\\x^[]8;;^[\\",
    ],
    ["OSC 52 clipboard", `${ESC}]52;c;cm0gLXJm${BEL}`, "^[]52;c;cm0gLXJm^G"],
    ["OSC 9 notification", `${ESC}]9;hi${BEL}`, "^[]9;hi^G"],
    ["OSC 1337 file", `${ESC}]1337;File=name=x:AA==${BEL}`, "^[]1337;File=name=x:AA==^G"],
    ["DCS query", `${ESC}P$q"p${ESC}\\`, '^[P$q"p^[\\'],
    ["APC", `${ESC}_Gi=1;AAAA${ESC}\\`, "^[_Gi=1;AAAA^[\\"],
    ["PM", `${ESC}^private${ESC}\\`, "^[^private^[\\"],
    ["SOS", `${ESC}Xstring${ESC}\\`, "^[Xstring^[\\"],
    ["other character set", `${ESC}(0lqk`, "^[(0lqk"],
    ["8-bit CSI", "\u009B31m", "<U+009B>31m"],
    ["8-bit OSC", "\u009D0;owned\u009C", "<U+009D>0;owned<U+009C>"],
    ["8-bit DCS, SOS, PM and APC", "\u0090\u0098\u009E\u009F", "<U+0090><U+0098><U+009E><U+009F>"],
    ["next line of C1", "a\u0085b", "a<U+0085>b"],
    ["CR overwrite", "rm -rf /\rls      ", "rm -rf /^Mls      "],
    ["CR before a line end", "evil\rgood\r\r\nnext", "evil^Mgood^M\nnext"],
    ["backspace overwrite", "evil\b\b\b\bgood", "evil^H^H^H^Hgood"],
    ["NUL", "a\0b", "a^@b"],
    ["bell", BEL, "^G"],
    ["vertical tab and form feed", "a\vb\fc", "a^Kb^Lc"],
    ["shift out and in", "\u000Elqk\u000F", "^Nlqk^O"],
    ["end of input and stop", "\u0004\u0013\u001A", "^D^S^Z"],
    ["unit separator", "a\u001Fb", "a^_b"],
    ["DEL", "a\u007Fb", "a^?b"],
    [
      "Trojan Source",
      'if (role != "user\u202E \u2066// admin\u2069 \u2066") {',
      'if (role != "user<U+202E> <U+2066>// admin<U+2069> <U+2066>") {',
    ],
    ["file name turned around", "invoice\u202Efdp.exe", "invoice<U+202E>fdp.exe"],
    ["direction marks", "\u061C\u200E\u200F", "<U+061C><U+200E><U+200F>"],
    ["tag characters", `ok${tags("Hi")}`, "ok<U+E0048><U+E0069>"],
    ["tags behind a flag", `\u{1F3F4}${tags("ls")}\u{E007F}`, "\u{1F3F4}<U+E006C><U+E0073><U+E007F>"],
    ["zero width in a word", "pass\u200Bword", "pass<U+200B>word"],
    ["joiners in a word", "a\u200Cd\u200Dmin", "a<U+200C>d<U+200D>min"],
    ["joiner before a foreign sign", "a\u200D\u094D", "a<U+200D>\u094D"],
    ["joiner between Hindi letters", "क\u200Dक", "क<U+200D>क"],
    ["joiner run behind an emoji", "😀\u200D\u200D😀", "😀<U+200D><U+200D>😀"],
    ["joiner chain", "😀\u200D😀\u200D😀\u200D😀\u200D😀", "😀\u200D😀\u200D😀\u200D😀<U+200D>😀"],
    ["second joiner in Persian", "می\u200C\u200Cخواهم", "می<U+200C><U+200C>خواهم"],
    ["joiner at the end of Persian", "می\u200C", "می<U+200C>"],
    ["selector run", "😀\uFE0F\uFE0F\uFE01", "😀\uFE0F<U+FE0F><U+FE01>"],
    ["selector on a letter", "a\uFE0Fb", "a<U+FE0F>b"],
    ["selector on a digit", "1\uFE0F2", "1<U+FE0F>2"],
    ["selectors that carry bytes", "😀\u{E0158}\u{E0159}", "😀<U+E0158><U+E0159>"],
    ["word joiner and invisible operators", "\u2060\u2061\u2064", "<U+2060><U+2061><U+2064>"],
    ["deprecated format", "\u206A\u206F", "<U+206A><U+206F>"],
    ["byte order mark", "\uFEFF#!", "<U+FEFF>#!"],
    ["soft hyphen", "ad\u00ADmin", "ad<U+00AD>min"],
    ["grapheme joiner", "a\u034Fb", "a<U+034F>b"],
    ["vowel separator", "a\u180Eb", "a<U+180E>b"],
    ["line and paragraph separator", "a\u2028b\u2029c", "a<U+2028>b<U+2029>c"],
    ["annotation", "\uFFF9a\uFFFAb\uFFFB", "<U+FFF9>a<U+FFFA>b<U+FFFB>"],
    ["Hangul fillers", "\u115F\u1160\u3164\uFFA0", "<U+115F><U+1160><U+3164><U+FFA0>"],
    ["musical format", "\u{1D173}\u{1D17A}", "<U+1D173><U+1D17A>"],
    ["lone surrogates", "a\uD83Db\uDE00", "a<U+D83D>b<U+DE00>"],
  ])("%s is visible", (_name, payload, printed) => {
    expect(toPrintable(payload)).toBe(printed);
  });
});

describe("ordinary text", () => {
  it.each([
    ["code", "if (a < b) {\n\treturn `^[` + '<U+202E>'; // ~ DEL\n}\n"],
    ["German and French", "Grüße, Straße, œuvre à 5 € — « déjà »\u00A0!"],
    ["Vietnamese, decomposed", "Tiếng Việt".normalize("NFD")],
    ["Russian and Greek", "Привет, мир. Γειά σου Κόσμε"],
    ["Hebrew with points", "שָׁלוֹם עוֹלָם"],
    ["Arabic with a verse sign", "السَّلَامُ عَلَيْكُم \u06DD"],
    ["Persian with its joiner", "می\u200Cخواهم کتاب\u200Cها خانهٔ\u064E\u200Cما"],
    ["Hindi and Nepali", "क्\u200Dष क्\u200Cष गर्\u200Dयो नमस्ते"],
    ["Bengali and Kannada", "র\u200D্য ರ\u200D್ಕ"],
    ["Sinhala", "ශ්\u200Dරී ලංකාව"],
    ["Tamil, Thai and Khmer", "வணக்கம் สวัสดีชาวโลก សួស្តី"],
    ["Chinese, Japanese and Korean", "你好，世界。こんにちは　世界 안녕하세요"],
    ["a variant of an ideograph", "\u795E\uFE00"],
    ["Mongolian", "ᠮᠣᠩᠭᠣᠯ ᠠ\u180B"],
    ["emoji", "😀 👍🏽 ☝️🏽 ❤️ ✈︎ ©️ 1️⃣ #️⃣"],
    ["joined emoji", "👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍❤️‍💋‍👨🏻 🏴‍☠️ 🧑🏿‍🚀"],
    ["joined emoji without selectors", "❤\u200D🔥 🏳\u200D🌈"],
    ["flags", `🇩🇪🇯🇵 ${countryFlags.join(" ")}`],
    ["box drawing and icons", "┌─┐ │✓│ \u{E0B0} ␛ �"],
  ])("%s stays as it is", (_name, text) => {
    expect(toPrintable(text)).toBe(text);
  });

  it("shows a Windows line end as a line end", () => {
    expect(toPrintable("one\r\ntwo\r\n")).toBe("one\ntwo\n");
  });
});

/** What must never reach a terminal, whatever stands beside it. */
const forbidden = [
  String.raw`\0-\x08\x0B-\x1F\x7F-\x9F\xAD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u2028-\u202E`,
  String.raw`\u2060-\u206F\u3164\uD800-\uDFFF\uFE03-\uFE0D\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}`,
].join("");
const findForbidden = new RegExp(`[${forbidden}]`, "u");
const withoutFlags = (text: string) => countryFlags.reduce((rest, flag) => rest.replaceAll(flag, ""), text);

const hidden = [
  ..."\r\b\u001B\u009B\u202E\u200B\u200C\u200D\uFE00\uFE0E\uFE0F\u034F\u180B\u180E\u{E0067}\u{E007F}\u{E0101}",
  "\uD83D",
  "\uDE00",
];
const shown = ["", ..."a1#>م\u064Bی神\u094D\u09CDकকর\u20E3ᠠ😀❤👩🏽🏴🇩\n", ...countryFlags];
const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...hidden, ...shown), { maxLength: 30 }).map((parts) => parts.join("")),
  fc.array(fc.nat(0xffff), { maxLength: 30 }).map((codes) => String.fromCharCode(...codes)),
  fc.string({ unit: anyCharacter }),
);

it("hides nothing between any two kinds of characters", () => {
  const pairs = shown.flatMap((before) => shown.map((after) => [before, after] as const));
  const fillings = ["", ...hidden].flatMap((one) => hidden.map((two) => one + two));
  const leaks = pairs.flatMap(([before, after]) =>
    fillings
      .map((filling) => before + filling + after)
      .filter((text) => findForbidden.test(withoutFlags(toPrintable(text)))),
  );
  expect(leaks).toEqual([]);
});

describe("any text", () => {
  it("comes out without a dangerous character", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(withoutFlags(toPrintable(text))).not.toMatch(findForbidden);
      }),
      { numRuns: cases(5000) },
    );
  });

  it("keeps joiners and selectors only beside something visible, one at a time", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const printed = toPrintable(text);
        expect(printed).not.toMatch(/(?:^|[\p{ASCII}\u200C\u200D])[\u200C\u200D]/u);
        expect(printed).not.toMatch(/[\uFE00-\uFE0F]{2}|(?:^|[a-zA-Z>\n\u200C\u200D])[\uFE00-\uFE0F]/u);
        expect(printed).not.toMatch(/\p{Extended_Pictographic}\uFE0F?\u200D(?!\p{Extended_Pictographic})/u);
      }),
      { numRuns: cases(5000) },
    );
  });

  it("is the same when it is made printable twice", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(toPrintable(toPrintable(text))).toBe(toPrintable(text));
        expect(toPrintableLine(toPrintableLine(text))).toBe(toPrintableLine(text));
      }),
      { numRuns: cases(5000) },
    );
  });

  it("fits on one line as a title", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(toPrintableLine(text)).not.toMatch(/[\n\t\r\v\f\u0085\u2028\u2029]/);
      }),
    );
  });
});

it("takes out every control character there is", () => {
  const all = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join("");
  const printable = (code: number) => code === 0x09 || code === 0x0a || (code >= 0x20 && code <= 0x7e);
  expect([...toPrintable(all)].filter((character) => !printable(character.charCodeAt(0)))).toEqual([]);
});

it.each([
  ["a line break with indentation", "Fix the login\n\n    page", "Fix the login page"],
  ["a tab", "a\tb", "a b"],
  ["a Windows line end", "a\r\nb", "a b"],
  ["an escape sequence", `a${ESC}[2Kb`, "a^[[2Kb"],
  ["spaces", "a  b ", "a  b "],
])("puts %s on one line", (_name, text, line) => {
  expect(toPrintableLine(text)).toBe(line);
});
