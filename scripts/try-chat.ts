/**
 * Lets a newcomer chat without a key: `npm run chat` starts the scripted model and `carryon chat` against it.
 *
 * It has a home and a work folder of its own below `.cache`, so that nothing of the user's is touched, and a session can
 * be gone on with: `npm run chat -- --session latest`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openModelServer } from "../test/support/model-server/open-model-server.ts";
import { readScenario } from "../test/support/model-server/scenario.ts";

const inRepository = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const trial = process.env.CARRYON_TRIAL ?? inRepository(".cache/try-chat");
const [home, work] = [join(trial, "home"), join(trial, "work")];
const readme =
  "# A shop\n\nPrices are in `prices.md`. Everything here may be changed: it is only for trying.\n";

/** Files to talk about; what was changed in an earlier trial stays. */
function prepare(): void {
  mkdirSync(work, { recursive: true });
  for (const [name, text] of Object.entries({
    "README.md": readme,
    "prices.md": "- Apples 3\n- Pears 4\n",
  })) {
    if (!existsSync(`${work}/${name}`)) writeFileSync(`${work}/${name}`, text);
  }
}

prepare();
await using server = await openModelServer(readScenario("newcomer"));
const given = { CARRYON_HOME: home, ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "none-is-needed" };
const chat = spawn(process.execPath, [inRepository("bin/carryon.cjs"), "chat", ...process.argv.slice(2)], {
  cwd: work,
  stdio: "inherit",
  env: { ...process.env, CARRYON_MODEL: "anthropic/scripted-model", ...given },
});
// What the terminal sends reaches the chat as well, which saves and then ends.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("SIGTERM", () => chat.kill("SIGTERM"));
await once(chat, "close");
process.exitCode = chat.exitCode ?? 1;
