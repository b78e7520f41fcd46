import type { Answer } from "./scripted-model.ts";

/** One command line of the tour, run exactly as it is shown. */
export interface Step {
  readonly line: string;
  /** The line kills itself with SIGKILL; every other line must succeed. */
  readonly dies?: true;
  /** The output must match this pattern. */
  readonly expected?: RegExp;
  /** Shows the output from the first line that matches. */
  readonly from?: RegExp;
  /** The output is a table: wide lines are cut, not wrapped. */
  readonly isTable?: true;
  /** How many lines of output are shown. */
  readonly most?: number;
}

/** One screen: why it matters, and the command lines that show it. */
export interface Screen {
  readonly why: string;
  /** Sets the scene; not shown. */
  readonly before?: string;
  readonly steps: readonly Step[];
}

/** Claude Code runs its hook like this before it writes a file. */
const hook = "sh ~/.carryon/bin/carryon-hook < ~/write-call.json";

export const screens: readonly Screen[] = [
  {
    why: "Killed and resumed: kill -9 loses no message that was acknowledged.",
    before: "git init -q && git add . && git commit -qm 'Add login'",
    steps: [
      { line: 'agent | carryon append --title "Logout bug" > ~/acknowledged.jsonl', dies: true },
      { line: "tail -n 1 ~/acknowledged.jsonl", expected: /"seq":9,/ },
      { line: "carryon sessions", expected: / 9 {2}interrupted /, isTable: true },
      { line: "tail -n 2 ~/messages.jsonl | carryon append --session latest", expected: /"seq":11,/ },
    ],
  },
  {
    why: "Remembered: a new session is told what happened; nobody wrote notes.",
    steps: [{ line: "carryon brief", expected: /./, from: /^```/, most: 16 }],
  },
  {
    why: "Found: everything that was said and done can be searched.",
    steps: [{ line: "carryon search lifetime role:assistant", expected: /fixed at one hour/ }],
  },
  {
    why: "Saved: a checkpoint keeps the files, the tasks and the failing test.",
    before: "echo '// Renewed at each request.' >> session.ts",
    steps: [
      { line: "carryon save", expected: /test_failure/ },
      { line: "carryon load", expected: /^Next +1\.2 End it after 30 days/m, from: /^Now/ },
    ],
  },
  {
    why: "Gated: an agent must say its plan before it may change a file.",
    steps: [
      { line: "carryon init --yes && carryon gate init --preset minimal", from: /^Carryon records/ },
      { line: hook, expected: /"deny"/ },
      { line: "carryon gate satisfy commit_plan --branch" },
      { line: `${hook} && echo allowed`, expected: /^allowed\n$/ },
    ],
  },
  {
    why: "Run: a task that is killed goes on, and nothing is done twice.",
    steps: [
      { line: 'carryon run "Fix the logout bug" --yes', dies: true },
      { line: "carryon run --resume --yes" },
      { line: "cat CHANGES.md", expected: /^Sessions last 30 days\.\n$/ },
    ],
  },
];

const next = (instruction: string): Answer => ({
  tool: "next_step",
  input: { assessment: "On track.", needsCorrection: false, shouldContinue: true, instruction },
});

/** The answers of the model in the last screen, for the instructor and the worker in turn. */
export const answers: readonly Answer[] = [
  next("Set the lifetime in session.ts to 30 days."),
  { tool: "write", input: { path: "session.ts", content: "const lifetime = 30 * 24 * 60 * 60;\n" } },
  { text: "session.ts is changed." },
  next("Note it in CHANGES.md."),
  // The parent of the command is the run.
  { tool: "bash", input: { command: "echo 'Sessions last 30 days.' >> CHANGES.md; kill -9 $PPID" } },
  { tool: "bash", input: { command: "cat CHANGES.md" } },
  { text: "The command was cut off, but the line is there: I did not add it again." },
  {
    tool: "next_step",
    input: {
      assessment: "Done.",
      needsCorrection: false,
      shouldContinue: false,
      instruction: "",
      summary: "Sessions last 30 days, and CHANGES.md says so once.",
    },
  },
];
