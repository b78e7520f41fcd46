import { join } from "node:path";
import { renderShellWord } from "../../lib/shell-word.ts";

/** The messages of the agent in the first screen: it dies after the ninth. */
const messages = [
  { role: "user", text: "Users are logged out after an hour. Find out why and fix it." },
  bash("1", "grep -n lifetime session.ts"),
  printed({ call: "1", output: "1:const lifetime = 60 * 60;\n" }),
  { role: "assistant", text: "The lifetime is fixed at one hour. Shall I renew it at each request?" },
  { role: "user", text: "Yes, but never beyond 30 days." },
  { role: "assistant", text: "Decided: renew at each request, 30 days at most." },
  bash("2", "node --test"),
  printed({ call: "2", output: "Exit code 1\nnot ok 1 - a session ends after 30 days\n", failed: true }),
  { role: "assistant", text: "The test for the limit fails, as it should. Now I add the limit." },
  { role: "user", text: "You were cut off. Go on." },
  { role: "assistant", text: "I add the limit of 30 days to session.ts." },
];

function bash(call: string, command: string): object {
  const part = { type: "tool-call", call, name: "bash", input: { command } };
  return { kind: "message", role: "assistant", parts: [part] };
}

function printed(result: { readonly call: string; readonly output: string; readonly failed?: true }): object {
  return { kind: "message", role: "tool", parts: [{ type: "tool-result", ...result }] };
}

/** Prints nine messages, waits until they are acknowledged, and kills itself and the recorder. */
const agent = `#!/bin/sh
head -n 9 ~/messages.jsonl
until grep -q '"seq":9,' ~/acknowledged.jsonl; do sleep 0.05; done
kill -9 0
`;

const tasks = `# Tasks
- [x] 1.1 Renew a session at each request
- [ ] 1.2 End it after 30 days
`;

/** Returns the files of the scratch folder by their paths; `program` starts Carryon. */
export function makeFiles(folder: string, program: readonly string[]): Readonly<Record<string, string>> {
  // Claude Code tells its hooks this before it writes a file.
  const writeCall = {
    hook_event_name: "PreToolUse",
    session_id: "5b1f2c6e-0d3a-4c47-9f1e-7a2d8c904e11",
    cwd: join(folder, "login-service"),
    tool_name: "Write",
    tool_input: { file_path: "session.ts" },
  };
  return {
    ".gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.invalid\n[init]\n\tdefaultBranch = main\n",
    "messages.jsonl": messages.map((message) => `${JSON.stringify(message)}\n`).join(""),
    "write-call.json": JSON.stringify(writeCall),
    "bin/agent": agent,
    "bin/carryon": `#!/bin/sh\nexec ${program.map(renderShellWord).join(" ")} "$@"\n`,
    "login-service/session.ts": "const lifetime = 60 * 60;\n",
    "login-service/openspec/changes/renew-sessions/proposal.md": "Users are logged out after an hour.\n",
    "login-service/openspec/changes/renew-sessions/tasks.md": tasks,
  };
}
