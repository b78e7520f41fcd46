import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the model: text, or a tool call. */
type Answer = { readonly text: string } | { readonly tool: string; readonly input: object };

/** A model on this machine that gives prepared answers, in the protocol of Anthropic. */
interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
}

/** Starts a model on a free port of 127.0.0.1. Each request gets the next answer; one request too many fails. */
export async function openScriptedModel(answers: readonly Answer[]): Promise<ScriptedModel> {
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    const answer = answers[asked];
    asked += 1;
    if (answer === undefined) outgoing.writeHead(400).end();
    else send(outgoing, answer, `toolu_${asked}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function send(outgoing: ServerResponse, answer: Answer, id: string): void {
  const isText = "text" in answer;
  const block = isText ? { type: "text", text: "" } : { type: "tool_use", id, name: answer.tool, input: {} };
  const delta = isText
    ? { type: "text_delta", text: answer.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(answer.input) };
  const message = {
    id: "msg_tour",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 100, output_tokens: 20 },
  };
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isText ? "end_turn" : "tool_use" },
      usage: { output_tokens: 20 },
    },
    { type: "message_stop" },
  ];
  outgoing.setHeader("content-type", "text/event-stream");
  outgoing.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

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
