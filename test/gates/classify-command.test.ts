import { describe, expect, it } from "vitest";
import { classifyCommand, readCommand } from "../../src/gates/classify-command.ts";
import { readAllCommands } from "./shell/command-table.ts";

const table = readAllCommands();
const families = [...new Set(table.map(({ family }) => family))];

describe("the table of commands", () => {
  it("holds each command once, and enough of each verdict", () => {
    const commands = table.map(({ command }) => command);
    expect(commands.filter((command, at) => commands.indexOf(command) !== at)).toEqual([]);
    for (const verdict of ["reads", "writes", "unknown"])
      expect(table.filter((each) => each.verdict === verdict).length).toBeGreaterThan(150);
  });

  it.each(families)("gives the verdicts of: %s", (family) => {
    const expected = table.filter((each) => each.family === family);
    const found = expected.map((each) => ({ ...each, verdict: classifyCommand(each.command).verdict }));
    expect(found).toEqual(expected);
  });
});

describe("something of a command runs on", () => {
  it.each([
    { command: "make & wait", runsOn: true },
    { command: "(sleep 1; echo x > f) &", runsOn: true },
    { command: "if true; then { make & }; fi", runsOn: true },
    { command: "f() { make & }; f", runsOn: true },
    { command: "sh -c 'make &'", runsOn: true },
    { command: "eval 'make &'", runsOn: true },
    { command: "coproc make", runsOn: true },
    { command: "nohup make", runsOn: true },
    { command: "setsid -f make", runsOn: true },
    { command: "env -i setsid -f make", runsOn: true },
    { command: "echo make | at now", runsOn: true },
    { command: "tmux new -d make", runsOn: true },
    { command: "make && ./x; ls | cat", runsOn: false },
    { command: "echo 'make &' nohup", runsOn: false },
    { command: "make 2>&1 &>log", runsOn: false },
  ])("$command: $runsOn", ({ command, runsOn }) => {
    expect(readCommand(command).runsOn).toBe(runsOn);
  });
});

describe("the reason", () => {
  it.each([
    { command: "ls && sed -i s/a/b/ f && ./x", why: "`sed -i` edits files in place." },
    { command: "ls | tee out.txt", why: "`tee` writes a file that it is told." },
    { command: "cat f > out.txt; rm f", why: "`> out.txt` writes a file." },
    { command: "git status", why: "`git status` only reads." },
    { command: "git status; git stash", why: "`git stash` changes files." },
    { command: "sort -uo out f", why: "`sort -o` writes a file." },
    { command: "ls; ./build.sh", why: "What `./build.sh` does is not known here." },
    { command: '"$tool" x', why: "Which program runs is decided only when it runs." },
    { command: "find . -delete", why: "`find -delete` removes files." },
    { command: "", why: "Nothing in it writes a file." },
    { command: "  \n ", why: "Nothing in it writes a file." },
    { command: "echo 'open", why: "It is no complete shell command." },
    { command: `${"x".repeat(100)} y`, why: `What \`${"x".repeat(60)}…\` does is not known here.` },
  ])("of `$command` names the part that decides", ({ command, why }) => {
    expect(classifyCommand(command).why).toBe(why);
  });
});

describe("a text that is no sane command", () => {
  const size = 1_000_000;
  const nested = 10_000;
  it.each([
    { case: "a megabyte of one letter", text: "a".repeat(size) },
    { case: "a megabyte of open braces", text: "{".repeat(size) },
    { case: "many open braces in one word", text: "{a,".repeat(20_000) },
    { case: "many words with braces", text: "{{a,b} ".repeat(20_000) },
    { case: "a megabyte of quotes", text: "'\"".repeat(size / 2) },
    { case: "brackets in brackets", text: `${"(".repeat(nested)}ls${")".repeat(nested)}` },
    { case: "substitutions in substitutions", text: `${"$(".repeat(nested)}ls${")".repeat(nested)}` },
    { case: "quoted substitutions in each other", text: 'echo "$('.repeat(nested) },
    { case: "defaults in defaults", text: "${x:-".repeat(nested) },
    { case: "sums in sums", text: "$((".repeat(nested) },
    { case: "many here-documents", text: "cat <<E ".repeat(nested) },
    { case: "coprocesses of coprocesses", text: "coproc ".repeat(nested) },
    { case: "conditions in conditions", text: "if ".repeat(nested) },
    { case: "a program that runs itself again and again", text: `${"sudo ".repeat(nested)}ls` },
    { case: "a sed script of brackets", text: `sed 's/${"[".repeat(nested)}'` },
    { case: "an awk program of patterns", text: `awk '${"/[".repeat(nested)}'` },
    { case: "functions that call each other twice", text: functionsThatDouble(60) },
    { case: "a variable that doubles", text: `X=a;${"X=$X$X;".repeat(60)}$X` },
  ])("is unknown: $case", ({ text }) => {
    expect(classifyCommand(text).verdict).toBe("unknown");
  });

  it("still writes where a write stands before it", () => {
    expect(classifyCommand(`rm f; echo ${"$(".repeat(300)}`)).toEqual({
      verdict: "writes",
      why: "`rm` changes files.",
    });
  });
});

function functionsThatDouble(count: number): string {
  const functions = Array.from({ length: count }, (_, at) => `f${at + 1}() { f${at}; f${at}; }`);
  return ["f0() { ls; }", ...functions, `f${count}`].join("; ");
}
