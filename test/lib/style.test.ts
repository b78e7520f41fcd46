import { describe, expect, it } from "vitest";
import { makeStyle, type Style, wantsColors } from "../../src/lib/style.ts";

const styled = (style: Style) =>
  Object.fromEntries(Object.entries(style).map(([name, apply]) => [name, apply("text")]));

describe("makeStyle", () => {
  it("wraps text in the codes of a colour and takes them back", () => {
    expect(styled(makeStyle({ colors: true }))).toEqual({
      bold: "\u001B[1mtext\u001B[22m",
      dim: "\u001B[2mtext\u001B[22m",
      italic: "\u001B[3mtext\u001B[23m",
      underline: "\u001B[4mtext\u001B[24m",
      strikethrough: "\u001B[9mtext\u001B[29m",
      red: "\u001B[31mtext\u001B[39m",
      green: "\u001B[32mtext\u001B[39m",
      yellow: "\u001B[33mtext\u001B[39m",
      cyan: "\u001B[36mtext\u001B[39m",
    });
  });

  it("leaves text as it is without colours", () => {
    const text = "text";
    expect(styled(makeStyle({ colors: false }))).toEqual({
      bold: text,
      dim: text,
      italic: text,
      underline: text,
      strikethrough: text,
      red: text,
      green: text,
      yellow: text,
      cyan: text,
    });
  });
});

describe("wantsColors", () => {
  it.each([
    { case: "colours on a terminal", env: {}, isTerminal: true, wants: true },
    { case: "no colours in a pipe", env: {}, isTerminal: false, wants: false },
    { case: "no colours with NO_COLOR", env: { NO_COLOR: "1" }, isTerminal: true, wants: false },
    { case: "no colours with NO_COLOR=0", env: { NO_COLOR: "0" }, isTerminal: true, wants: false },
    { case: "an empty NO_COLOR as none", env: { NO_COLOR: "" }, isTerminal: true, wants: true },
    { case: "colours in a pipe with FORCE_COLOR", env: { FORCE_COLOR: "1" }, isTerminal: false, wants: true },
    { case: "no colours with FORCE_COLOR=0", env: { FORCE_COLOR: "0" }, isTerminal: true, wants: false },
    { case: "an empty FORCE_COLOR as none", env: { FORCE_COLOR: "" }, isTerminal: false, wants: false },
    {
      case: "NO_COLOR before FORCE_COLOR",
      env: { NO_COLOR: "1", FORCE_COLOR: "1" },
      isTerminal: true,
      wants: false,
    },
    { case: "no colours on a dumb terminal", env: { TERM: "dumb" }, isTerminal: true, wants: false },
    {
      case: "FORCE_COLOR before a dumb terminal",
      env: { TERM: "dumb", FORCE_COLOR: "3" },
      isTerminal: true,
      wants: true,
    },
    { case: "colours on any other terminal", env: { TERM: "xterm-256color" }, isTerminal: true, wants: true },
  ])("takes $case", ({ env, isTerminal, wants }) => {
    expect(wantsColors({ env, isTerminal })).toBe(wants);
  });
});
