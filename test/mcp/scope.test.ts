import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMcp } from "../support/open-mcp.ts";
import { recordPrompt } from "../support/record-prompt.ts";
import { openCarryon } from "../support/run-carryon.ts";

const foreign = "11111111-1111-4111-8111-111111111111";

it("serves the sessions of its own project alone", async () => {
  await using carryon = await openCarryon();
  const other = join(carryon.folder, "other");
  await mkdir(other);
  await recordPrompt(carryon, foreign, "tell nobody", other);
  const own = await carryon.record("mine");
  await using mcp = await openMcp(carryon);
  const refusal = (name: string) =>
    `There is no session ${JSON.stringify(name)} in this project. (session-not-found)\n` +
    "List the sessions with session_list. Those of other projects are not served here.";
  for (const name of [foreign, foreign.slice(0, 4), "tell nobody"])
    expect(await mcp.call("session_show", { session: name })).toEqual({
      text: refusal(name),
      isError: true,
      facts: undefined,
    });
  await expect(mcp.read(`carryon://session/${foreign}`)).rejects.toThrow(refusal(foreign));
  expect((await mcp.call("session_list")).text).not.toContain(foreign);
  for (const query of ["nobody", `nobody session:${foreign}`, "nobody project:other"])
    expect((await mcp.call("session_search", { query })).text).toBe("0 found. That is all.");
  const { resources } = await mcp.client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["carryon://handover", `carryon://session/${own}`]);
  expect((await mcp.call("session_show", { session: "latest" })).text).toContain("  mine\n");
});
