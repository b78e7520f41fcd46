import {
  clonedFrom,
  firstCommit,
  type Project,
  type ProjectId,
  type Projects,
  type Sighting,
} from "../sessions/project.ts";
import type { Guard } from "./guard.ts";
import type { Row, SqlDriver, SqlRunner } from "./sql-driver.ts";

interface StoredProject extends Project {
  readonly key: number;
}

/** Knows projects by their identities, in the store. */
export class SqlProjects implements Projects {
  readonly #driver: SqlDriver;
  readonly #guard: Guard;

  /** The guard makes the markers in place of secrets, by which a folder is known again. */
  constructor(driver: SqlDriver, guard: Guard) {
    this.#driver = driver;
    this.#guard = guard;
  }

  async recognise(seen: Sighting): Promise<Project> {
    const [name = "", ...identities] = this.#redact([seen.name, ...seen.identities]);
    const sighting = { identities, name };
    const before = await locate(this.#driver, sighting.identities);
    const settled = before.missing.length === 0 && before.found.length === 1 ? before.found[0] : undefined;
    if (settled !== undefined && settled.id === idAfter(settled, sighting)) return toProject(settled);
    return toProject(await this.#driver.transaction((transaction) => settle(transaction, sighting)));
  }

  async known(identities: readonly string[]): Promise<Project | undefined> {
    const [found] = (await locate(this.#driver, this.#redact(identities))).found;
    return found === undefined ? undefined : toProject(found);
  }

  async findEach(identities: readonly string[]): Promise<ReadonlyMap<string, Project>> {
    const redacted = this.#redact(identities);
    const found = await findByIdentity(this.#driver, redacted);
    return new Map(
      identities.flatMap((identity, at) => {
        const project = found.get(redacted[at] ?? "");
        return project === undefined ? [] : [[identity, toProject(project)] as const];
      }),
    );
  }

  /** A folder, branch or remote may have a secret for a name. */
  #redact(identities: readonly string[]): readonly string[] {
    return identities.map((identity) => this.#guard.redactText(identity));
  }

  async list(): Promise<readonly Project[]> {
    const rows = await this.#driver.all("SELECT key, id, name FROM project ORDER BY name, key");
    return rows.map(fromRow).map(toProject);
  }

  async called(name: string): Promise<readonly Project[]> {
    const own = (await this.list()).filter((project) => project.id === name || project.name === name);
    return own.length > 0 ? own : this.#clonedFrom(name);
  }

  async #clonedFrom(name: string): Promise<readonly Project[]> {
    const rows = await this.#driver.all(
      `SELECT p.key, p.id, p.name, i.identity FROM project_identity i JOIN project p ON p.key = i.project_key
       WHERE substr(i.identity, 1, ?) = ? ORDER BY p.name, p.key`,
      [clonedFrom.length, clonedFrom],
    );
    const fitting = rows.filter((row) => String(row[3]).endsWith(`/${name}`)).map(fromRow);
    return [...new Map(fitting.map((project) => [project.key, toProject(project)])).values()];
  }
}

/** Returns the project of a sighting that was redacted, and remembers it, inside the caller's transaction. */
async function settle(transaction: SqlRunner, sighting: Sighting): Promise<StoredProject> {
  const { found, missing } = await locate(transaction, sighting.identities);
  const [kept = await insert(transaction, sighting), ...doubles] = found;
  for (const double of doubles) await mergeInto(transaction, kept, double);
  for (const identity of missing) {
    await transaction.run(
      `INSERT INTO project_identity VALUES (?, ?)
       ON CONFLICT (identity) DO UPDATE SET project_key = excluded.project_key`,
      [identity, kept.key],
    );
  }
  const id = idAfter(kept, sighting);
  await transaction.run("UPDATE project SET id = ? WHERE key = ?", [id, kept.key]);
  return { key: kept.key, id, name: kept.name };
}

/**
 * Returns the key of the project that another store knows by an id, and makes it where there is none.
 *
 * One id alone never makes two projects one.
 */
export async function takeProject(transaction: SqlRunner, guard: Guard, project: Project): Promise<number> {
  const [id, name] = [guard.redactText(project.id) as ProjectId, guard.redactText(project.name)];
  const { found } = await locate(transaction, [id]);
  return (found[0] ?? (await settle(transaction, { identities: [id], name }))).key;
}

interface Located {
  /** The projects that the identities lead to, each once, the one with the strongest identity first. */
  readonly found: readonly StoredProject[];
  /** The identities that lead nowhere, or to a project that this one cannot be. */
  readonly missing: readonly string[];
}

/**
 * A project keeps its id while that is one of its first commits; several appear where histories were joined.
 *
 * A shallow clone shows none of them, and takes away nothing.
 */
function idAfter(project: StoredProject, { identities }: Sighting): ProjectId {
  const showsFirst = identities.some((identity) => identity.startsWith(firstCommit));
  const keeps = project.id.startsWith(firstCommit) && (!showsFirst || identities.includes(project.id));
  return keeps ? project.id : (identities[0] as ProjectId);
}

async function locate(runner: SqlRunner, identities: readonly string[]): Promise<Located> {
  const known = await findByIdentity(runner, identities);
  const found = new Map<number, StoredProject>();
  const missing: string[] = [];
  for (const identity of identities) {
    const project = known.get(identity);
    if (project === undefined || isElsewhere(project, identity, identities)) missing.push(identity);
    else found.set(project.key, project);
  }
  return { found: [...found.values()], missing };
}

async function findByIdentity(
  runner: SqlRunner,
  identities: readonly string[],
): Promise<ReadonlyMap<string, StoredProject>> {
  if (identities.length === 0) return new Map();
  const rows = await runner.all(
    `SELECT p.key, p.id, p.name, i.identity FROM project_identity i JOIN project p ON p.key = i.project_key
     WHERE i.identity IN (${identities.map(() => "?").join(", ")})`,
    identities,
  );
  return new Map(rows.map((row) => [row[3] as string, fromRow(row)]));
}

/** Tells whether a project cannot be the one that was seen: two first commits are two projects, whatever else they share. */
export function contradicts(project: ProjectId, identities: readonly string[]): boolean {
  const isFirstCommit = (identity: string) => identity.startsWith(firstCommit);
  return isFirstCommit(project) && identities.some(isFirstCommit) && !identities.includes(project);
}

/** A first commit leads to its project whatever the project is called by; a remote or a folder may have changed hands. */
function isElsewhere(project: StoredProject, identity: string, identities: readonly string[]): boolean {
  return !identity.startsWith(firstCommit) && contradicts(project.id, identities);
}

async function insert(runner: SqlRunner, sighting: Sighting): Promise<StoredProject> {
  const rows = await runner.all("INSERT INTO project (id, name) VALUES (?, ?) RETURNING key, id, name", [
    sighting.identities[0] ?? "",
    sighting.name,
  ]);
  return fromRow(rows[0] ?? []);
}

async function mergeInto(runner: SqlRunner, kept: StoredProject, double: StoredProject): Promise<void> {
  await runner.run("UPDATE session_head SET project_key = ? WHERE project_key = ?", [kept.key, double.key]);
  await runner.run("UPDATE project_identity SET project_key = ? WHERE project_key = ?", [
    kept.key,
    double.key,
  ]);
  await runner.run("DELETE FROM project WHERE key = ?", [double.key]);
}

function fromRow(row: Row): StoredProject {
  return { key: row[0] as number, id: row[1] as ProjectId, name: row[2] as string };
}

function toProject({ id, name }: StoredProject): Project {
  return { id, name };
}
