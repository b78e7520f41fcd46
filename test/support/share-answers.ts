import { writeFile } from "node:fs/promises";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openWriter } from "../../src/sessions/session-writer.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { openDatabase } from "./postgres-database.ts";
import { openTwoClones, type TwoClones } from "./two-clones.ts";

/** The answers of commands in a project that two machines share, by their schemas. */
export interface ShareAnswers {
  readonly push: readonly unknown[];
  readonly sync: readonly unknown[];
  readonly status: readonly unknown[];
  readonly decisions: readonly unknown[];
  readonly load: readonly unknown[];
  readonly "load-list": readonly unknown[];
  readonly "load-missing": readonly unknown[];
}

const message = (text: string) => [{ role: "user", text }];
const fields = ["--context", "c", "--decision", "d", "--reason", "r", "--impact", "i"];

/** Lets two machines share a project, and returns what commands say of it in JSON. */
export async function collectShareAnswers(): Promise<ShareAnswers> {
  await using two = await openTwoClones();
  const { ada, ben, onAda, onBen } = two;
  const asBen = async (...args: readonly string[]) =>
    JSON.parse((await ben.call(onBen, [...args, "--json"])).out);
  const [line = ""] = (await ada.ask(onAda, ["append"], message("one"))).split("\n");
  const { session } = JSON.parse(line);
  await two.asAda("decide", "user-decision", "x", ...fields);
  await two.asAda("save", "-m", "The form", "--no-commit");
  await two.toBen();
  const [decisions, missing] = [await asBen("decisions"), await asBen("load")];
  await two.asBen("save", "-m", "The docs", "--no-commit");
  await two.asAda("save", "-m", "The tests", "--no-commit");
  await two.toBen();
  const [load, listed] = [await asBen("load"), await asBen("load", "--list")];
  const push = await pushAll(two, session);
  return {
    ...{ push, decisions: [decisions], load: [load], "load-list": [listed], "load-missing": [missing] },
    ...(await shareRemotely(two)),
  };
}

/** A push of a session that somebody writes there, pulls of one that was titled here while it went on there, and of one that was deleted there. */
async function pushAll({ ada, ben, onAda, onBen }: TwoClones, session: string): Promise<readonly unknown[]> {
  await ada.ask(onAda, ["append", "--session", session], message("two"));
  const answers: unknown[] = [];
  {
    await using store = await openStore(ben.home);
    await using _writer = await openWriter(store, parseSessionId(session), { program: "x", now: new Date() });
    answers.push(JSON.parse(await ada.ask(onAda, ["push", ben.home, "--json"])));
  }
  await ada.ask(onAda, ["push", ben.home]);
  await ada.ask(onAda, ["rename", session, "The login"]);
  await ben.ask(onBen, ["append", "--session", session], message("three"));
  answers.push(JSON.parse(await ada.ask(onAda, ["pull", ben.home, "--json"])));
  const [first = ""] = (await ada.ask(onAda, ["append"], message("of Ada"))).split("\n");
  await ada.ask(onAda, ["push", ben.home]);
  await ben.ask(onBen, ["delete", JSON.parse(first).session, "--yes"]);
  answers.push(JSON.parse(await ada.ask(onAda, ["pull", ben.home, "--json"])));
  return answers;
}

/** What sync and status say of a server that is there, and of one that is not. */
async function shareRemotely({
  ada,
  onAda,
  ben,
  onBen,
}: TwoClones): Promise<Pick<ShareAnswers, "sync" | "status">> {
  await using database = await openDatabase();
  await ben.ask(onBen, ["append"], message("of Ben"));
  await ben.ask(onBen, ["push", database.url]);
  const answers = { sync: [] as unknown[], status: [] as unknown[] };
  for (const url of [database.url, "postgres://ada@127.0.0.1:1/x"]) {
    const text = `remote:\n  url: ${url}\n  projects: [shop, shpo]\n`;
    await writeFile(`${ada.home}/config.yaml`, text, { mode: 0o600 });
    answers.sync.push(JSON.parse(await ada.ask(onAda, ["sync", "--json"])));
    answers.status.push(JSON.parse(await ada.ask(onAda, ["status", "--json"])));
  }
  return answers;
}
