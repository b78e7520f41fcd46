import { realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";
import { BadSetting } from "../lib/bad-setting.ts";

/** Whether what clients do in a folder, and below it, is recorded. */
export interface RecordRule {
  readonly folder: string;
  readonly isRecorded: boolean;
}

const hint = "Write the whole path of a folder and `off`, such as `/home/ada/clients: off`.";

/** Reads the setting `record`: folders, and whether what clients do there is recorded. */
export function readRecord(value: unknown): readonly RecordRule[] {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadSetting("record must be a map of folders", hint);
  return Object.entries(value).map(([folder, word]) => {
    if (!isAbsolute(folder)) throw new BadSetting("this is not the whole path of a folder", hint, [folder]);
    if (word !== "off" && word !== "on") throw new BadSetting("this is neither off nor on", hint, [folder]);
    return { folder, isRecorded: word === "on" };
  });
}

const named = /^["']?record["']?\s*:/m;
const section = /^record:[ \t]*(?:#.*)?\n((?:[ \t]+\S.*(?:\n|$)|[ \t]*(?:#.*)?\n)*)/m;
const line = /^[ \t]+(?:"([^"\\]+)"|'([^']+)'|(\/[^\s#:"'{}[\],&*?|<>=!%@`]*)):[ \t]+(on|off)[ \t]*(?:#.*)?$/;

/**
 * Reads the same from the text of config.yaml, where it is written plainly: a folder a line. Undefined where only a parser
 * of YAML can tell, for which a hook has no time.
 */
export function parsePlainRules(text: string): readonly RecordRule[] | undefined {
  if (!named.test(text)) return /^\s*\{/.test(text) && text.includes("record") ? undefined : [];
  const lines = section.exec(`${text}\n`)?.[1]?.split("\n");
  const rules = lines?.filter((each) => !/^\s*(?:#|$)/.test(each)).map(parseLine);
  return rules?.every((rule) => rule !== undefined) && rules.length > 0 ? rules : undefined;
}

function parseLine(text: string): RecordRule | undefined {
  const [, double, single, plain, word] = line.exec(text) ?? [];
  const folder = double ?? single ?? plain;
  return folder === undefined || !isAbsolute(folder) ? undefined : { folder, isRecorded: word === "on" };
}

/** Tells whether what clients do in a folder is recorded: the rule of the nearest folder counts. */
export function isRecordedIn(rules: readonly RecordRule[], folder: string): boolean {
  if (rules.length === 0) return true;
  const places = [folder, realPath(folder)];
  const above = rules.filter((rule) =>
    [rule.folder, realPath(rule.folder)].some((each) => places.some((place) => isWithin(place, each))),
  );
  return above.toSorted((one, other) => depthOf(other) - depthOf(one))[0]?.isRecorded ?? true;
}

function isWithin(place: string, folder: string): boolean {
  const top = folder.endsWith(sep) ? folder.slice(0, -1) : folder;
  return place === top || place.startsWith(top + sep);
}

function depthOf({ folder }: RecordRule): number {
  return realPath(folder).split(sep).filter(Boolean).length;
}

/** Sync: a hook asks, and a sync for a few folders. One that is gone has only its name. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // Whatever keeps it from being looked at, its name is what the rule says.
    return folder;
  }
}
