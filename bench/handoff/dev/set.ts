import { join } from "node:path";
import type { CaseSet } from "../case.ts";
import { handoffs as of1c38adc0 } from "./facts/1c38adc0.ts";
import { handoffs as of3cd520f7 } from "./facts/3cd520f7.ts";
import { handoffs as of4b3ddf27 } from "./facts/4b3ddf27.ts";
import { handoffs as of43c87127 } from "./facts/43c87127.ts";
import { handoffs as of60b38d1e } from "./facts/60b38d1e.ts";
import { handoffs as of258c7280 } from "./facts/258c7280.ts";
import { handoffs as of0822e04b } from "./facts/0822e04b.ts";
import { handoffs as of163396cf } from "./facts/163396cf.ts";
import { handoffs as ofa2b25ca9 } from "./facts/a2b25ca9.ts";
import { handoffs as offa812bfe } from "./facts/fa812bfe.ts";

/** Ten sessions of two projects, in Elixir and Go: they may be read while a digest is written. */
export const dev: CaseSet = {
  name: "dev",
  folder: join(import.meta.dirname, "sessions"),
  sources: [
    {
      id: "0822e04b",
      sessionId: "0822e04b-5551-4de8-a98a-5660c689e49b",
      project: "entire-cli",
      cwd: "/home/dev/wks/cli",
    },
    {
      id: "163396cf",
      sessionId: "163396cf-348b-4175-90f5-5ca0986ac0f1",
      project: "entire-cli",
      cwd: "/home/dev/workspace/cli/.worktrees/soph/fix-session-date-change-bug",
    },
    {
      id: "1c38adc0",
      sessionId: "1c38adc0-5071-4382-9e53-de8c30e2265f",
      project: "entire-cli",
      cwd: "/home/dev/Work/entire/devenv/cli",
    },
    {
      id: "258c7280",
      sessionId: "258c7280-ae70-4798-800f-63464d01a85d",
      project: "spotter",
      cwd: "/home/USER/projects/spotter-worktrees/spotter-gqc",
    },
    {
      id: "3cd520f7",
      sessionId: "3cd520f7-d4af-469f-97ac-bcad4933d9d4",
      project: "entire-cli",
      cwd: "/home/dev/workspace/cli/.worktrees/alex/ent-109-text-output-checkpoint-flag",
    },
    {
      id: "43c87127",
      sessionId: "43c87127-491b-488e-a553-95aa3f0414ac",
      project: "entire-cli",
      cwd: "/home/dev/src/entireio/completion-stanza-manager",
    },
    {
      id: "4b3ddf27",
      sessionId: "4b3ddf27-d7f7-4773-b4f2-b94b999c661d",
      project: "entire-cli",
      cwd: "/home/dev/workspace/cli",
    },
    {
      id: "60b38d1e",
      sessionId: "60b38d1e-f048-428b-89da-e5dca96614d4",
      project: "entire-cli",
      cwd: "/home/dev/wks/test-cli/cli",
    },
    {
      id: "a2b25ca9",
      sessionId: "a2b25ca9-1cbb-41d7-a3b1-89c66f8697f9",
      project: "entire-cli",
      cwd: "/home/dev/wks/cli",
    },
    {
      id: "fa812bfe",
      sessionId: "fa812bfe-b295-4cca-9c2f-fdf01028cb46",
      project: "spotter",
      cwd: "/home/USER/projects/spotter-worktrees/spotter-a0y",
    },
  ],
  cases: [
    ...of0822e04b,
    ...of163396cf,
    ...of1c38adc0,
    ...of258c7280,
    ...of3cd520f7,
    ...of43c87127,
    ...of4b3ddf27,
    ...of60b38d1e,
    ...ofa2b25ca9,
    ...offa812bfe,
  ],
};
