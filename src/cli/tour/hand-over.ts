import type { Scratch } from "./scratch.ts";
import { insist, type Teller } from "./teller.ts";

/** Shows how a session is handed over, and what the next one is told. */
export async function handOver(scratch: Scratch, say: Teller): Promise<void> {
  await say.step("The day ends, and the session is handed over to the next one");
  const decision = {
    ...{ summary: "Renew at each request, 30 days at most", context: "users are logged out" },
    ...{ decision: "sliding sessions", reason: "safe enough", impact: "none" },
  };
  const { summary, ...fields } = decision;
  say.command(`carryon decide user-decision "${summary}" --reason "safe enough" …`);
  const flags = Object.entries(fields).flatMap(([name, value]) => [`--${name}`, value]);
  const number = (await scratch.run(["decide", "user-decision", summary, ...flags])).trim();
  say.result(number);
  const answers = {
    ...{ accomplished: "Sessions are renewed; two tests", next: "The same for the mobile client" },
    ...{ warnings: "The test server forgets its keys", tone: "Short answers, please" },
  };
  say.command("carryon handover              # asks on a terminal; an agent answers with flags");
  await scratch.run([
    "handover",
    ...Object.entries(answers).flatMap(([name, value]) => [`--${name}`, value]),
  ]);
  say.command("carryon brief                 # what the next session is told");
  const brief = await scratch.run(["brief"]);
  say.result(brief.slice(brief.indexOf("```")));
  for (const told of [`(${number})`, answers.next, answers.warnings, answers.tone])
    insist(brief.includes(told), `the brief does not say ${told}`);
}
