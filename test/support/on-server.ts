import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase, type TestDatabase } from "./postgres-database.ts";
import { type Carryon, openCarryon } from "./run-carryon.ts";

interface OnServer extends AsyncDisposable {
  readonly carryon: Carryon;
  readonly database: TestDatabase;
  /** Runs the program; what differs from run to run and from server to server is made the same. */
  readonly run: Carryon["run"];
  /** Does the same in this process. */
  readonly call: Carryon["call"];
}

/** Makes a home and an empty database, which CARRYON_STORE names. */
export async function openOnServer(): Promise<OnServer> {
  const database = await openDatabase();
  const carryon = await openCarryon({ CARRYON_STORE: database.url });
  const normalise = (text: string) =>
    text
      .replaceAll(database.shown, "<server>")
      .replace(/PostgreSQL [\d.]+.*/, "PostgreSQL <version>")
      .replace(/schema \d+/, "schema <schema>")
      .replace(/[\d.]+ kB/g, "<size>");
  const normalised =
    (way: "run" | "call"): Carryon["run"] =>
    async (args, options) => {
      const { code, stdout, stderr } = await carryon[way](args, options);
      return { code, stdout: normalise(stdout), stderr: normalise(stderr) };
    };
  return {
    carryon,
    database,
    run: normalised("run"),
    call: normalised("call"),
    [Symbol.asyncDispose]: async () => {
      await carryon[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Makes a user with rights to the tables of a store, gone with the scope. */
export async function openUser(database: TestDatabase, rights: string) {
  const name = `${database.name}_user`;
  await database.query(
    `CREATE ROLE ${name} LOGIN; GRANT USAGE ON SCHEMA carryon TO ${name};
     GRANT ${rights} ON ALL TABLES IN SCHEMA carryon TO ${name}`,
  );
  const url = new URL(database.url);
  url.username = name;
  return {
    name,
    url: url.href,
    [Symbol.asyncDispose]: async () =>
      void (await database.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`)),
  };
}

/** Lists the home folder without what Node compiled; empty where there is none. */
export async function listHome({ folder }: Carryon): Promise<readonly string[]> {
  const names = (await readdir(folder)).includes("home") ? await readdir(join(folder, "home")) : [];
  return names.filter((name) => name !== "cache");
}

export async function writeConfig({ folder }: Carryon, text: string): Promise<void> {
  await mkdir(join(folder, "home"), { recursive: true, mode: 0o700 });
  await writeFile(join(folder, "home", "config.yaml"), text, { mode: 0o600 });
}
