import { expect, it } from "vitest";
import { verifyEach } from "../../src/care/verify.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { fillStore } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

it("leaves out a session that was deleted since it was listed", async () => {
  await using dir = await tempDir();
  await fillStore(dir.path);
  await using store = await openStore(dir.path);
  async function* list() {
    for (const id of ["gone", "one"]) yield { id: parseSessionId(id), entries: 1 };
  }
  const verified = await Array.fromAsync(verifyEach(store.log, list(), () => undefined));
  expect(verified).toMatchObject([{ session: "one", problem: null }]);
});
