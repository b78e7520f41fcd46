import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyCommand } from "../../../src/gates/classify-command.ts";
import { renderShellWord } from "../../../src/lib/shell-word.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { cases } from "../../support/cases.ts";
import { readAllCommands } from "./command-table.ts";

const readers = [
  "ls -l",
  "cat f",
  "git status",
  "grep x f",
  "sed -n 1p f",
  "find . -name x",
  "npm ls",
  "curl -s url",
];
const writers = [
  "rm f",
  "touch f",
  "git add .",
  "sed -i s/a/b/ f",
  "cp a b",
  "find . -delete",
  "npm ci",
  "tee f",
];
const others = ["./x.sh", "make", "npm test", "node x.js", "$x y", "git x"];
const simple = fc.constantFrom(...readers, ...writers, ...others);
const verdictOf = (command: string): string => classifyCommand(command).verdict;

const wrappers: readonly ((command: string) => string)[] = [
  (command) => `sh -c ${renderShellWord(command)}`,
  (command) => `bash -ec ${renderShellWord(command)}`,
  (command) => `eval ${renderShellWord(command)}`,
  (command) => `( ${command} )`,
  (command) => `{ ${command}; }`,
  (command) => `if true; then ${command}; fi`,
  (command) => `while ${command}; do true; done`,
  (command) => `for i in 1 2; do ${command}; done`,
  (command) => `case x in x) ${command} ;; esac`,
  (command) => `f() { ${command}; }; f`,
  (command) => `env FOO=1 ${command}`,
  (command) => `timeout 5 ${command}`,
  (command) => `sudo ${command}`,
  (command) => `nice -n 3 ${command}`,
  (command) => `FOO=1 ${command}`,
  (command) => `echo "$(${command})"`,
  (command) => `cat <(${command})`,
  (command) => `bash <<'END'\n${command}\nEND`,
  (command) => `! ${command} &`,
];

describe("a command inside another", () => {
  it("keeps its verdict, however often it is wrapped", () => {
    fc.assert(
      fc.property(simple, fc.array(fc.constantFrom(...wrappers), { maxLength: 3 }), (command, wraps) => {
        // A program that starts another one knows no keywords.
        const inOrder = wraps.map((wrap, at) => (at === 0 ? wrap : (inner: string) => wrap(asWords(inner))));
        expect(verdictOf(inOrder.reduce((inner, wrap) => wrap(inner), command))).toBe(verdictOf(command));
      }),
      { numRuns: cases(500) },
    );
  });
});

const asWords = (command: string): string => `bash -c ${renderShellWord(command)}`;

describe("a redirection", () => {
  /** Behind these a redirection is part of a text, or of a function that is not called. */
  const swallowing = /<<|#|[&)]$|\(\) \{[^;]*;? \}$|^alias|\nls|\n|^coproc/;
  const whole = readAllCommands().filter(
    ({ command, family }) =>
      family !== "what cannot be parsed" && !swallowing.test(command) && !/[>|]$/.test(command),
  );

  it("to a file makes a command write", () => {
    expect(whole.length).toBeGreaterThan(700);
    expect(
      whole.map(({ command }) => `${command} > out.txt`).filter((line) => verdictOf(line) !== "writes"),
    ).toEqual([]);
  });

  it("of the errors to nowhere changes nothing", () => {
    expect(
      whole
        .filter(({ command, verdict }) => verdictOf(`${command} 2>/dev/null`) !== verdict)
        .map((each) => each.command),
    ).toEqual([]);
  });
});

describe("several commands", () => {
  const ranks = ["reads", "unknown", "writes"];
  it("are as bad as the worst of them", () => {
    fc.assert(
      fc.property(
        simple,
        simple,
        fc.constantFrom("; ", " && ", " || ", " | ", " & ", "\n"),
        (first, second, joint) => {
          const expected = Math.max(...[first, second].map((each) => ranks.indexOf(verdictOf(each))));
          expect(verdictOf(first + joint + second)).toBe(ranks[expected]);
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

describe("the name of a program", () => {
  const quoted = (character: string, style: number): string =>
    [
      character,
      `\\${character}`,
      `'${character}'`,
      `"${character}"`,
      `$'\\x${character.charCodeAt(0).toString(16)}'`,
      `''${character}`,
      `${character}""`,
      `\\\n${character}`,
    ][style] ?? character;

  it("means the same in any quotes", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...readers, ...writers, "make", "npm test"),
        fc.array(fc.nat(7), { minLength: 5, maxLength: 5 }),
        (command, styles) => {
          const [name = "", ...args] = command.split(" ");
          const hidden = [...name].map((character, at) => quoted(character, styles[at] ?? 0)).join("");
          expect(verdictOf([hidden, ...args].join(" "))).toBe(verdictOf(command));
        },
      ),
      { numRuns: cases(500) },
    );
  });
});

describe("a dry run", () => {
  const rehearsals = [
    "git push --dry-run origin main",
    "git clean -f --dry-run",
    "git add --dry-run .",
    "npm install --dry-run x",
    "rsync -a --dry-run a b",
    "patch --dry-run --input=f",
    "mktemp --dry-run",
  ];
  const between = (command: string, at: number, ...more: readonly string[]): string => {
    const words = command.split(" ");
    return [...words.slice(0, at), ...more, ...words.slice(at)].join(" ");
  };
  const places = fc.constantFrom(...rehearsals).chain((command) => {
    // Behind the program and its subcommand.
    const first = /^(?:git|npm)/.test(command) ? 2 : 1;
    const place = fc.integer({ min: first, max: command.split(" ").length });
    return fc.record({ command: fc.constant(command), place });
  });

  it("is one as long as nothing speaks against it", () => {
    expect(rehearsals.filter((command) => verdictOf(command) !== "reads")).toEqual([]);
  });

  it("is none wherever it is taken back", () => {
    const opposite = fc.constantFrom("--no-dry-run", "--no-dry", "--dry-run=false", "--dry-run=0");
    fc.assert(
      fc.property(places, opposite, ({ command, place }, taken) => {
        expect(verdictOf(between(command, place, taken))).not.toBe("reads");
      }),
    );
  });

  it("may be the value of an option that is not known", () => {
    const option = fc.stringMatching(/^--[a-z]{4,12}zz$/);
    fc.assert(
      fc.property(fc.constantFrom(...rehearsals), option, (command, given) => {
        const at = command.split(" ").indexOf("--dry-run");
        expect(verdictOf(between(command, at, given))).not.toBe("reads");
      }),
    );
  });
});

describe("any text", () => {
  const pieces = fc.constantFrom(
    ..."$ ( ) { } [ ] < > | & ; ' \" ` \\ # ! = * ? ~ , . - x 1 @ \n \t".split(" "),
    " ",
    "$(",
    "${",
    "$((",
    "<<E",
    "\nE\n",
    "&&",
    "[[ ",
    " ]]",
    "if ",
    "then ",
    "fi",
    "case ",
    "esac",
    "for x in ",
    "do ",
    "done",
    "f() {",
    "rm ",
    "ls ",
    "sed ",
    "awk ",
    "git ",
    "find ",
    "-exec ",
    "sh -c ",
    "eval ",
    "xargs ",
    "env ",
    "X=",
    "read ",
    "declare -n ",
    "trap ",
    "alias ls=",
    "tar ",
    "npx ",
  );
  const answers = ["reads", "writes", "unknown"];

  it("gets one of three verdicts and a sentence", () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (command) => {
        const { verdict, why } = classifyCommand(command);
        expect(answers).toContain(verdict);
        expect(why).toMatch(/^[A-Z`].*\.$/s);
        // This one would mean that a rule has failed rather than answered.
        expect(why).not.toBe("It could not be read to its end.");
      }),
      { numRuns: cases(2000) },
    );
  });

  it("gets the same answer each time", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        expect(classifyCommand(parts.join(""))).toEqual(classifyCommand(parts.join("")));
      }),
    );
  });
});
