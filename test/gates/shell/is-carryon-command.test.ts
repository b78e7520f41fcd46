import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyCommand } from "../../../src/gates/classify-command.ts";
import { isCarryonCommand } from "../../../src/gates/shell/list-plain-commands.ts";

describe("a line that runs carryon and nothing else", () => {
  it.each([
    "carryon",
    "carryon status",
    "npx carryon gate satisfy commit_plan",
    "carryon gate satisfy a b && carryon gate status --json",
    "carryon status; carryon gate list",
    "carryon status || npx carryon status",
    "carryon status | carryon append",
    "( carryon status )",
    "{ carryon status; } 2>&1",
    "! carryon status",
    "time carryon status",
    "carryon status 2>/dev/null >&2",
    "carryon append <<'EOF'\nrm -rf $(x)\nEOF",
    "carryon gate satisfy \"a b\" 'c' $NAME",
    '"carryon" status',
    "carryon status &",
    "carryon --help",
    "carryon backup --help",
    "carryon gate --session s1",
    "carryon gate approve size",
    "carryon gate explain -- rm x",
    "carryon check",
    "carryon check list --json",
    "carryon save -m 'Login form'",
    "carryon load",
    "carryon doctor",
    "carryon resume latest --print",
    "carryon trust --list",
    "carryon uninit --dry-run",
  ])("is recognised: %s", (command) => {
    expect([isCarryonCommand(command), classifyCommand(command).verdict]).toEqual([true, "reads"]);
  });
});

describe("a line that runs the launcher of Carryon by its path", () => {
  const launcher = "/home/ada l/.carryon/bin/carryon";

  it.each([
    { line: "'/home/ada l/.carryon/bin/carryon' save -m 'a b'", is: true },
    { line: '"/home/ada l/.carryon/bin/carryon" load && carryon status', is: true },
    { line: "/home/ada\\ l/.carryon/bin/carryon status", is: true },
    { line: "'/home/ada l/.carryon/bin/carryon' status > f", is: false },
    { line: "'/home/ada l/.carryon/bin/carryon' status; rm f", is: false },
    { line: "'/home/ada l/.carryon/bin/carryon-hook' status", is: false },
    { line: "/tmp/.carryon/bin/carryon status", is: false },
    { line: "./carryon status", is: false },
  ])("is one of ours only with that path: $line", ({ line, is }) => {
    expect([isCarryonCommand(line, launcher), isCarryonCommand(line)]).toEqual([is, false]);
  });
});

describe("a line that runs carryon for what satisfies no gate", () => {
  it.each([
    "carryon backup --force app.js",
    "carryon restore x",
    "npx carryon check allow test --yes -- sh -c 'echo pwned > app.js'",
    "carryon check allow test --yes -- sh --help",
    "carryon check --yes revoke test",
    "carryon recovery allow dependency --yes -- rm -rf x",
    "carryon save --full --no-commit",
    "carryon load --resume",
    "carryon doctor --move-aside",
    "carryon trust",
    "carryon trust --revoke",
    "carryon uninit --yes",
    "carryon init --yes",
    "carryon scrub x --yes",
    "carryon delete latest --yes",
    "carryon clean --yes",
    "carryon export x",
    "carryon resume latest",
    "carryon gate pause",
    "carryon gate --session status pause",
    "carryon gate disable commit_plan",
    "carryon gate init",
    "carryon gate prune",
    "carryon constructor",
    "CLAUDECODE= carryon gate approve size",
    "CLAUDE_CODE_SESSION_ID=other carryon gate satisfy commit_plan",
    "CARRYON_SESSION=other carryon gate satisfy commit_plan",
    "CARRYON_HOME=/tmp/x carryon status",
    "unset CLAUDECODE; carryon gate approve size",
    "export -n CLAUDECODE; carryon gate approve size",
    "declare +x CLAUDECODE; carryon gate approve size",
    "export CLAUDECODE=0; carryon gate approve size",
    "env -u CLAUDECODE carryon gate approve size",
    "env --unset=CLAUDECODE sh -c 'carryon gate approve size'",
    "env -i carryon gate approve size",
    "env -i sh -c 'carryon gate approve size'",
    "env CLAUDECODE= carryon gate approve size",
  ])("is taken for a write: %s", (command) => {
    expect([isCarryonCommand(command), classifyCommand(command).verdict]).toEqual([false, "writes"]);
  });

  it.each([
    "carryon $X",
    "carryon gate $X",
    "carryon gate $X status",
    "carryon save $X",
    'carryon load "$X"',
  ])("is open to doubt: %s", (command) => {
    expect([isCarryonCommand(command), classifyCommand(command).verdict]).toEqual([false, "unknown"]);
  });
});

describe("a line that does something else too", () => {
  it.each([
    "",
    "# carryon",
    "ls",
    "carryon status; ls",
    "ls && carryon status",
    "carryon status | head",
    "carryon status > f",
    "carryon status >> f",
    "{ carryon status; } > f",
    "carryon $(rm f)",
    "carryon `rm f`",
    'carryon "$(ls)"',
    "carryon <(ls)",
    "carryon append <<EOF\n$(rm f)\nEOF",
    "carryon $" + "{x@P}",
    "PATH=/tmp carryon status",
    "X=1; carryon status",
    "X=1",
    "carryon() { rm f; }; carryon",
    "alias carryon='rm f'; carryon",
    "./carryon status",
    "/tmp/carryon status",
    "bin/carryon status",
    "npx other carryon",
    "npx -y carryon status",
    "npx carryon@latest",
    "sudo carryon status",
    "env carryon status",
    "echo carryon",
    "carryonx",
    "[[ -f x ]] && carryon status",
    "if true; then carryon status; fi",
    "for f in $(rm x); do carryon status; done",
    "carryon 'open",
    "carryon $((x))",
    "coproc ".repeat(10_000),
    "{".repeat(1_000_000),
  ])("is not: %.40s", (command) => {
    expect(isCarryonCommand(command)).toBe(false);
  });

  it("never throws, and never takes what writes as one of ours", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom("rm f", "> f", "$(rm f)", "; touch f"),
        (text, tail) => {
          const command = `carryon ${text} ${tail}`;
          if (isCarryonCommand(command)) expect(classifyCommand(command).verdict).toBe("reads");
        },
      ),
    );
  });
});

it("is open where it is told to go to another repository first", () => {
  expect(classifyCommand("cd '/some where/o2' && carryon gate satisfy -- -plan").verdict).toBe("reads");
});
