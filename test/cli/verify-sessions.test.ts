import { expect, it } from "vitest";
import { verifySessions } from "../../src/cli/verify-sessions.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { fillStore } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";
import { testContext } from "../support/test-context.ts";

it("leaves out a session that was deleted since it was listed", async () => {
  await using dir = await tempDir();
  await fillStore(dir.path);
  await using store = await openStore(dir.path);
  const context = testContext(dir.path);
  async function* list() {
    for (const id of ["gone", "one"]) yield { id: parseSessionId(id), entries: 1 };
  }
  await verifySessions(context, store.log, list(), { json: true });
  expect(JSON.parse(context.said.out)).toMatchObject({
    sessions: [{ session: "one", problem: null }],
    ok: true,
  });
});
