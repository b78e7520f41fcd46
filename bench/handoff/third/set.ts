import { join } from "node:path";
import type { CaseSet, Source } from "../case.ts";
import { handoffs as billrun } from "./facts/billrun.ts";
import { handoffs as icallint } from "./facts/icallint.ts";
import { handoffs as logrotor } from "./facts/logrotor.ts";
import { handoffs as mri } from "./facts/mri.ts";
import { handoffs as pegel } from "./facts/pegel.ts";
import { handoffs as yoyaku } from "./facts/yoyaku.ts";

function source(id: string, sessionId: string, project = id): Source {
  return { id, sessionId, project, cwd: `/home/dev/src/${project}` };
}

/** Sessions whose facts were committed before anybody saw a brief of them; they may be read since. */
export const third: CaseSet = {
  name: "third",
  folder: join(import.meta.dirname, "sessions"),
  sources: [
    source("billrun", "a1b0c9d8-3344-4f55-9666-7788990a1b2c"),
    source("icallint", "7f9d1e44-5a0c-4c8b-9f0e-6e5c2b8a1a52", "ical-lint"),
    source("logrotor", "6e5d4c3b-2a19-4807-96f5-e4d3c2b1a098"),
    source("mri", "3e2a6c1f-7c31-4a0b-8a55-1d5d8a6f9b01"),
    source("pegel", "c4d5a7e9-20f1-4be2-b6b4-7a9b4c1f0d33"),
    source("yoyaku", "2b7c6d5e-8f90-4a1b-b2c3-d4e5f6071829"),
  ],
  cases: [...billrun, ...icallint, ...logrotor, ...mri, ...pegel, ...yoyaku],
};
