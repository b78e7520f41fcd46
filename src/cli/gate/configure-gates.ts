import { isUtf8 } from "node:buffer";
import { lstat, mkdir } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { noRepository, requireGates } from "../../gates/change-gates.ts";
import { requireGateSession } from "../../gates/choose-gate-session.ts";
import { type GateDesk, refuseDoubtful } from "../../gates/gate-desk.ts";
import { locateProjectFiles } from "../../gates/gate-places.ts";
import { endPauses, pauseSession, releaseTree } from "../../gates/hold-desk.ts";
import { renderPreset } from "../../gates/render-preset.ts";
import { setEnabled } from "../../gates/set-enabled.ts";
import { excludeFromCommits } from "../../git/exclude-list.ts";
import {
  configError,
  conflictError,
  ioError,
  isSystemError,
  unlessGone,
  usageError,
} from "../../lib/app-error.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";
import { writeFailed } from "../../lib/file-error.ts";
import { acquireLock } from "../../lib/file-lock.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { readBelow, refuseLinks } from "../../lib/read-below.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { isPerson, requirePerson } from "../require-person.ts";
import { type GateRequest, usage } from "./gate-request.ts";

/** Pauses all gates: for one session until it ends, or for this user in this work tree. */
export async function pause(context: CommandContext, here: GateDesk, request: GateRequest): Promise<void> {
  if (request.untilEnd === undefined) {
    if (request.session === undefined) return configure(context, here, request);
    throw usage("`carryon gate pause` takes --session only with --until-end.");
  }
  if (here.place === undefined) throw noRepository(here);
  await requirePerson(context, "Only a person turns gates off");
  const session = await requireGateSession(context, here, request.session);
  await refuseDoubtful(here, request, session, here.branch ?? "");
  pauseSession({ home: here.home, session });
  if (request.json) return context.out(`${renderJson({ changed: true, session })}\n`);
  context.err(`${toPrintableLine(`The gates refuse nothing in session ${session} until it ends.`)}\n`);
}

/** Turns a gate or all of them on or off, for this user in this work tree. */
export async function configure(
  context: CommandContext,
  here: GateDesk,
  request: GateRequest,
): Promise<void> {
  if (here.place === undefined) throw noRepository(here);
  const { what, names } = request;
  const [name] = names;
  const enabled = what === "enable" || what === "unpause";
  if (name !== undefined) requireGates(here, names);
  if (!enabled) await requirePerson(context, "Only a person turns gates off");
  requireTrust(here);
  const path = locateProjectFiles(here.root).local;
  const isWritten = await changeLocal(here, path, (text) => setEnabled(text, name, { enabled, file: path }));
  const changed = (what === "unpause" && endPauses(here) > 0) || isWritten;
  // What an agent turns on counts when it would have counted if it had written the file.
  if (await isPerson(context)) releaseTree(here);
  if (request.json) return context.out(`${renderJson({ changed })}\n`);
  const subject = name === undefined ? "All gates" : name;
  const said = `${subject} ${name === undefined ? "are" : "is"} ${enabled ? "on" : "off"}, says ${relative(here.root, path)}.`;
  context.err(`${toPrintableLine(said)}\n`);
}

/** What the project's own files say does not count otherwise. */
function requireTrust({ trusted, doubt }: GateDesk): void {
  if (trusted) return;
  if (doubt !== undefined) throw doubt;
  throw usageError(
    "not-trusted",
    "This project is not trusted, and nothing that it says about gates counts.",
    {
      hint: "Trust it with `carryon trust`; your own gates for all projects stand in ~/.claude/requirements.yaml.",
    },
  );
}

const largest = 1 << 20;

async function changeLocal(here: GateDesk, path: string, change: (text: string) => string): Promise<boolean> {
  await refuseLinks(here.root, path);
  await makeFolder(dirname(path));
  const lock = await acquireLock(path, { leave: "nothing" });
  try {
    const before = await readLocal(here.root, path);
    const after = change(before);
    if (after === before) return false;
    await writeFileAtomically(path, after, { mode: 0o644 });
  } finally {
    await lock.release();
  }
  await excludeLocal(here);
  return true;
}

/** What counts for one user alone is not for commits. */
async function excludeLocal({ commonFolder }: GateDesk): Promise<void> {
  if (commonFolder !== undefined)
    await excludeFromCommits({ commonFolder }, ["/.claude/requirements.local.yaml"]);
}

/** What would not come out as it went in is left as it is. */
async function readLocal(root: string, path: string): Promise<string> {
  const found = await readBelow(root, path, largest);
  if (found.type === "none") return "";
  if (found.type === "bytes" && isUtf8(found.bytes)) return found.bytes.toString();
  const reason = found.type === "bytes" ? "it is not UTF-8" : "it is too large";
  throw configError("bad-requirements", `${path} cannot be changed: ${reason}.`, {
    hint: "Change it by hand, or move it away.",
  });
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    if (!isSystemError(error, "EEXIST", "ENOTDIR")) throw writeFailed(folder, error);
    throw ioError("not-a-folder", `${folder} is not a folder.`, {
      hint: "Move away what is there, and try again.",
    });
  }
}

/** Writes a commented requirements.yaml. One that is there is left as it is. */
export async function writePreset(
  context: CommandContext,
  here: GateDesk,
  request: GateRequest,
): Promise<void> {
  if (here.place === undefined) throw noRepository(here);
  const { project: path } = locateProjectFiles(here.root);
  await refuseLinks(here.root, path);
  if ((await unlessGone(lstat(path))) !== undefined) {
    throw conflictError(
      "already-there",
      `${relative(here.root, path)} is there already, and is left as it is.`,
      { hint: "Change it by hand, or move it away first." },
    );
  }
  const preset = request.preset ?? "relaxed";
  await makeFolder(dirname(path));
  await writeFileAtomically(path, renderPreset(preset), { mode: 0o644 });
  await excludeLocal(here);
  if (request.json) return context.out(`${renderJson({ path, preset })}\n`);
  const next = here.trusted
    ? "See how they stand with `carryon gate`."
    : "They count once you trust this project: `carryon trust`.";
  context.err(
    `${toPrintableLine(`The gates of the preset ${preset} are in ${relative(here.root, path)}. ${next}`)}\n`,
  );
}
