import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findProgram } from "../lib/find-program.ts";
import { parseIfJson } from "../lib/json.ts";
import { asRecord } from "./json-object.ts";

/** The ways to satisfy a gate in a client. Only a refusal or a brief asks for them: each looks at the disk. */
export interface Remedies {
  /** Returns the words that run Carryon in a shell of the client. */
  findProgram(): string;
  /** Returns the name by which the client runs the first of some skills that is installed; undefined without any. */
  findSkill(skills: readonly string[]): string | undefined;
}

/** Where a client works. */
interface RemedyPlaces {
  readonly root: string;
  /** The user's folder of the client: `~/.claude`. */
  readonly clientFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The program by which `carryon init` lets clients start Carryon. */
  readonly launcher: string;
}

/** Opens the ways to satisfy a gate in a work tree. */
export function openRemedies({ root, clientFolder, env, launcher }: RemedyPlaces): Remedies {
  const findSkill = (skill: string): string | undefined => {
    const wanted = skill.trim().replace(/^\//, "");
    const [name = "", namespace = ""] = wanted.split(":").toReversed();
    // A word that is no name is not said to be run.
    if (!/^[\w.-]+$/.test(name) || !/^[\w.-]*$/.test(namespace)) return undefined;
    const found = [
      ...[join(root, ".claude"), clientFolder].flatMap((folder) => [
        ...listOffers(folder, name, name),
        { call: `${namespace}:${name}`, path: join(folder, "commands", namespace, `${name}.md`) },
      ]),
      ...listPlugins(clientFolder, root).flatMap((each) =>
        listOffers(each.folder, name, `${each.name}:${name}`),
      ),
    ].filter(({ path }) => existsSync(path));
    return (found.find(({ call }) => call === wanted) ?? found[0])?.call;
  };
  return {
    findProgram: () => findProgram(env.PATH, launcher) ?? "carryon",
    findSkill: (skills) => skills.map(findSkill).find((found) => found !== undefined),
  };
}

/** A file that offers a skill or a command, and the name by which the client then runs it. */
interface Offer {
  readonly call: string;
  readonly path: string;
}

function listOffers(folder: string, name: string, call: string): readonly Offer[] {
  return [
    { call, path: join(folder, "skills", name, "SKILL.md") },
    { call, path: join(folder, "commands", `${name}.md`) },
  ];
}

/** A plugin that is installed in the client. */
interface Plugin {
  readonly name: string;
  readonly folder: string;
}

/** Lists the plugins of a user and of a project, as the client keeps them. */
function listPlugins(clientFolder: string, root: string): readonly Plugin[] {
  const { plugins } = asRecord(readJson(join(clientFolder, "plugins", "installed_plugins.json")));
  return Object.entries(asRecord(plugins)).flatMap(([id, installs]) =>
    (Array.isArray(installs) ? installs : [installs]).flatMap((install) => {
      const { installPath, projectPath = root } = asRecord(install);
      const isHere = typeof installPath === "string" && projectPath === root;
      return isHere ? [{ name: id.replace(/@.*$/, ""), folder: installPath }] : [];
    }),
  );
}

function readJson(path: string): unknown {
  try {
    return parseIfJson(readFileSync(path, "utf8"));
  } catch (error) {
    // A client without plugins has no such file.
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}
