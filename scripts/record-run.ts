/**
 * Records docs/run.svg: a run that is killed and resumed on a real terminal, against the scripted model. Run by hand; every
 * run has other ids.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openModelServer } from "../test/support/model-server/open-model-server.ts";
import type { Step } from "../test/support/model-server/scenario.ts";
import { ends, goesOn, runScenario, runs } from "../test/support/run-scenario.ts";
import { openTerminal, type Terminal } from "../test/support/terminal.ts";
import { countShown, drawLine, drawTerminal, toLines } from "./draw-terminal.ts";

const [columns, rows] = [84, 27];

/** Models take a moment. */
const after = (delay: number, step: Step): Step => ({ ...step, delay });
const code = "export const list = (items) => console.log(JSON.stringify(items));\n";
const scenario = runScenario(
  [
    after(900, goesOn("Write list.mjs, which prints the items as JSON.")),
    after(700, goesOn("Note the option in CHANGES.md, with one line.")),
    after(700, goesOn("Run it with two items.")),
    after(700, ends("The list is printed as JSON, and CHANGES.md says so. I ran it with two items.")),
  ],
  [
    after(700, { calls: [{ tool: "write", input: { path: "list.mjs", content: code } }] }),
    after(500, { text: "list.mjs is written." }),
    after(700, runs("echo '- list prints JSON' >> CHANGES.md; sleep 4")),
    after(700, runs("cat CHANGES.md")),
    after(500, { text: "The command was cut off, but its line is there: I did not add it again." }),
    after(700, runs(`node -e 'import("./list.mjs").then((m) => m.list(["a", "b"]))'`)),
    after(500, { text: 'It prints ["a","b"].' }),
  ],
);

/** What the terminal showed from some moment on. */
interface Frame {
  readonly at: number;
  readonly screen: string;
}

const folder = mkdtempSync(join(tmpdir(), "carryon-recording-"));
const [bin, work] = [join(folder, "bin"), join(folder, "work")];
for (const each of [bin, work]) mkdirSync(each);
const launcher = fileURLToPath(new URL("../bin/carryon.cjs", import.meta.url));
writeFileSync(join(bin, "carryon"), `#!/bin/sh\nexec "${process.execPath}" "${launcher}" "$@"\n`);
chmodSync(join(bin, "carryon"), 0o755);
execFileSync("git", ["init", "--quiet", work]);

await using server = await openModelServer(scenario);
const env = {
  ...{ PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`, HOME: folder, TMPDIR: folder, LANG: "C.UTF-8" },
  ...{
    TERM: "screen-256color",
    HISTFILE: "",
    PS1: "\\[\\e[36m\\]$\\[\\e[0m\\] ",
    CARRYON_HOME: join(folder, "home"),
  },
  ...{ ANTHROPIC_API_KEY: "none-is-needed", ANTHROPIC_BASE_URL: server.url },
};
const shell = ["bash", "--norc", "--noprofile", "-i"] as const;
const frames: Frame[] = [];
{
  await using terminal = await openTerminal(shell, { cwd: work, env, columns, rows });
  const watching = new AbortController();
  const watched = watch(terminal, watching.signal);
  await say(terminal, 'carryon run "Let list print JSON" --yes');
  await terminal.waitFor("→ bash echo");
  await sleep(1500);
  process.kill(findRun(terminal.pid), "SIGKILL");
  await terminal.waitFor("Killed");
  await sleep(1500);
  await say(terminal, "carryon run --resume --yes");
  await terminal.waitFor("The list is printed as JSON");
  await sleep(500);
  watching.abort();
  await watched;
}
rmSync(folder, { recursive: true, force: true });
writeFileSync(fileURLToPath(new URL("../docs/run.svg", import.meta.url)), draw(frames));

/** Types a line as a person does. */
async function say(terminal: Terminal, line: string): Promise<void> {
  for (const piece of line.match(/.{1,4}/g) ?? []) {
    await terminal.type(piece);
    await sleep(60);
  }
  await terminal.press("Enter");
}

/** Returns the process that the shell has started. */
function findRun(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
  return Number(children[0]);
}

/** Keeps what the terminal shows whenever that has changed; that something turns is no change, and would make many pictures. */
async function watch(terminal: Terminal, signal: AbortSignal): Promise<void> {
  for (const began = Date.now(); !signal.aborted; await sleep(60)) {
    const screen = (await terminal.painted()).replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠋");
    if (screen !== frames.at(-1)?.screen) frames.push({ at: Date.now() - began, screen });
  }
}

/** Draws the frames one over the other, each shown in its time; where nothing moves, the last one is. */
function draw(shown: readonly Frame[]): string {
  const [firstAt, lastAt] = [shown[0]?.at ?? 0, shown.at(-1)?.at ?? 0];
  const total = lastAt - firstAt + 6000;
  const share = (at: number) => `${(((at - firstAt) / total) * 100).toFixed(2)}%`;
  const times = shown.map(({ at }, index) => {
    const next = shown[index + 1]?.at;
    const end = next === undefined ? "" : ` ${share(next)}{visibility:hidden}`;
    return `@keyframes f${index}{0%{visibility:hidden} ${share(at)}{visibility:visible}${end}}`;
  });
  const moves = shown.map((_, index) => `#f${index}{animation:f${index} ${total}ms step-end infinite}`);
  const groups = shown.map(({ screen }, index) => {
    const lines = toLines(screen).map((line, row) => (countShown(line) === 0 ? "" : drawLine(line, row)));
    const isLast = index === shown.length - 1;
    return `<g id="f${index}"${isLast ? "" : ' visibility="hidden"'}>${lines.join("")}</g>`;
  });
  return drawTerminal({
    title: "A run that is killed and resumed",
    ...{ columns, rows: Math.max(...shown.map(({ screen }) => screen.split("\n").length)) },
    style: `@media (prefers-reduced-motion: no-preference){${[...times, ...moves].join("\n")}}`,
    body: groups.join("\n"),
  });
}
