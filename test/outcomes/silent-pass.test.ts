import { describe, expect, it } from "vitest";
import { blockerAfter } from "../support/outcomes.ts";

/** Tells whether a line that printed this, and ended well, clears the failure of a command. */
function isCleared(
  command: string,
  line: string,
  output = "",
  more: { readonly isOutputUnknown?: true } = {},
) {
  const bad = { command, exitCode: 2, output: "", at: new Date(0) };
  return (
    blockerAfter([bad, { command: line, exitCode: 0, output, at: new Date(1000), ...more }]) === undefined
  );
}

describe("a build or a linter that is silent, behind a pipe", () => {
  it.each([
    ["tsc", "tsc | head"],
    ["tsc --noEmit", "npx tsc --noEmit 2>&1 | head -20"],
    ["eslint .", "eslint . | tail -5"],
    ["eslint 'src/**/*.{ts,tsx}'", "eslint 'src/**/*.{ts,tsx}' 2>&1 | tail -n 20"],
    ["cargo fmt --check", "cargo fmt --check | cat"],
    ["cargo fmt --all -- --check", "cd web && cargo fmt --all -- --check 2>&1 | tee fmt.log"],
    ["go vet ./...", "go vet ./... 2>&1 | tail"],
    ["gcc -c a.c -o a.o", "gcc -c a.c -o a.o 2>&1 | head -5"],
    ["tsc", "bash -c 'tsc | cat'"],
    ["make -s", "make -s | tail -5"],
    ["npm run lint", "npm run lint 2>&1 | tail -20"],
    ["tsc", "bash -c 'tsc' | cat"],
    ["tsc", "(tsc) | cat"],
    ["tsc", "(tsc | cat)"],
    ["tsc", "{ tsc; } | cat"],
    ["tsc", "test -e x && tsc | cat"],
    ["tsc", "tsc | cat && git add ."],
  ])(
    "has passed where it printed nothing, and not where anything was printed: %s, then %s",
    (command, line) => {
      const said = ["", "\n", "(Bash completed with no output)", "(no output)", "src/a.ts: something\n"];
      expect(said.map((output) => isCleared(command, line, output))).toEqual([true, true, true, true, false]);
      expect(isCleared(command, line, "", { isOutputUnknown: true })).toBe(false);
    },
  );

  it.each([
    ...["tsc 2>/dev/null | head", "tsc > out.log | cat", "tsc | head >/dev/null", "tsc 2>&- | cat"],
    ...["tsc | cat || true", "tsc || true", "tsc | cat; true", "true || tsc | cat"],
    ...[
      "tsc | head -0",
      "tsc | head -n 0",
      "tsc | head -n -5",
      "tsc | head -1",
      "tsc | tail -1",
      "tsc | tail -n +5",
    ],
    ...["tsc | grep error", "tsc | grep -v warning", "tsc | sed -n 2p", "tsc | awk '/x/'", "tsc | head -c 0"],
    ...[
      "tsc | cat a.txt",
      "tsc | head a.txt",
      "tsc | xargs ls",
      "tsc | tee a.txt | grep error",
      "tsc | true",
    ],
    ...["tsc | cat &", "tsc & wait", "! tsc | cat"],
    ...["timeout 60 tsc | cat", "command -v tsc | cat", "false && tsc | cat; ls"],
    ...[
      "if true; then tsc | cat; fi",
      "for p in a b; do tsc | cat; done",
      "echo `tsc` | cat",
      "x=$(tsc) | cat",
    ],
    ...["tsc | cat | cat file"],
  ])("has not where the line may hide a failure: %s", (line) => {
    expect(isCleared("tsc", line)).toBe(false);
  });

  it.each(["-o report.txt", "--output-file=r", "-f ./mine.js", "--format unix", "--quiet"])(
    "has not where an option may keep it silent: eslint . %s",
    (option) => {
      const command = `eslint . ${option}`;
      expect(isCleared(command, `${command} | cat`)).toBe(false);
    },
  );

  it("clears its own failure alone", () => {
    expect(isCleared("tsc -p web", "tsc | cat")).toBe(false);
    expect(isCleared("npm run lint", "eslint . | cat")).toBe(false);
    // A run that prints nothing may have run no test.
    expect(isCleared("npm test", "npm test | cat")).toBe(false);
  });
});
