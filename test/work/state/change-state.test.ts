import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeTempName } from "../../../src/lib/atomic-file.ts";
import { readOwnIdentity } from "../../../src/lib/process-identity.ts";
import { systemRandom } from "../../../src/lib/uuid-v7.ts";
import { renderWorkState } from "../../../src/work/render-work-state.ts";
import { changeState, prepareState, readState } from "../../../src/work/state-store.ts";
import { locateState } from "../../../src/work/work-state.ts";
import { someState as state } from "../../support/some-state.ts";
import { tempDir } from "../../support/temp-dir.ts";

const now = state.savedAt;
const asideFile = "session-state.broken-2026-11-16T12-00-00-000Z.json";

/** Puts a file in the place of the state of a folder. */
async function place(root: string, content: string | Buffer): Promise<string> {
  const path = locateState(root);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** Lists the folder of the state, without its lock. */
async function listBeside(root: string): Promise<readonly string[]> {
  const names = await readdir(dirname(locateState(root)));
  return names.filter((name) => !name.endsWith(".carryon-lock")).sort();
}

describe("a state that is replaced", () => {
  it.each([
    { was: "broken", content: '{"version": 1, "mode"' },
    { was: "foreign", content: renderWorkState({ ...state, workingOn: "what somebody else does" }) },
  ])("is kept aside where it is $was, and nothing of it is taken over", async ({ was, content }) => {
    await using dir = await tempDir();
    const path = await place(dir.path, content);
    const given: string[] = [];
    const changed = await changeState(
      dir.path,
      now,
      (found) => {
        given.push(found.type);
        return state;
      },
      { isForeign: async () => true },
    );
    const aside = join(dirname(path), asideFile);
    expect({ given, changed }).toEqual({
      given: [was === "foreign" ? "none" : "broken"],
      changed: { state, aside: { path: aside, was } },
    });
    expect(await readFile(aside, "utf8")).toBe(content);
    expect(await readState(dir.path)).toEqual({ type: "state", state, unknown: {}, warnings: [] });
  });
});

describe("the bytes of a state", () => {
  it("are broken where they are not UTF-8, and are kept aside as they were", async () => {
    await using dir = await tempDir();
    // "작업" in EUC-KR, in a file that would be JSON otherwise.
    const [head = "", tail = ""] = renderWorkState({ ...state, workingOn: "KOREAN" }).split("KOREAN");
    const bytes = Buffer.concat([
      Buffer.from(head),
      Buffer.from([0xc0, 0xdb, 0xbe, 0xf7]),
      Buffer.from(tail),
    ]);
    const path = await place(dir.path, bytes);
    expect(await readState(dir.path)).toEqual({
      type: "broken",
      problems: [{ field: "", problem: "is not UTF-8" }],
    });
    const aside = join(dirname(path), asideFile);
    expect((await changeState(dir.path, now, () => state)).aside).toEqual({ path: aside, was: "broken" });
    expect(await readFile(aside)).toEqual(bytes);
  });

  it("may begin with a byte order mark", async () => {
    await using dir = await tempDir();
    await place(dir.path, `\ufeff${renderWorkState(state)}`);
    expect(await readState(dir.path)).toEqual({ type: "state", state, unknown: {}, warnings: [] });
  });
});

describe("what a killed writer of a state left", () => {
  it.each([
    { by: "who is about to save", act: prepareState },
    { by: "who changes the state", act: (root: string) => changeState(root, now, () => state) },
  ])("is removed by $by, before git takes it for a file of the user", async ({ act }) => {
    await using dir = await tempDir();
    const path = await place(dir.path, renderWorkState(state));
    const gone = { ...(await readOwnIdentity()), started: "1" };
    await writeFile(join(dirname(path), makeTempName("session-state.json", gone, systemRandom)), "{");
    await act(dir.path);
    expect(await listBeside(dir.path)).toEqual(["session-state.json"]);
  });
});
