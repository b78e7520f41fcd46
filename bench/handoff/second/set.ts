import { join } from "node:path";
import type { CaseSet, Source } from "../case.ts";
import { handoffs as jsmn } from "./facts/jsmn.ts";
import { handoffs as ledgerlite } from "./facts/ledgerlite.ts";
import { handoffs as loglens } from "./facts/loglens.ts";
import { handoffs as meshstat } from "./facts/meshstat.ts";
import { handoffs as ringlog } from "./facts/ringlog.ts";
import { handoffs as snapdir } from "./facts/snapdir.ts";
import { handoffs as tariff } from "./facts/tariff.ts";

function source(project: string, sessionId: string): Source {
  return { id: project, sessionId, project, cwd: `/home/dev/src/${project}` };
}

/** Sessions in other languages than those of `dev`: read them to write facts, not to write a digest. */
export const second: CaseSet = {
  name: "second",
  folder: join(import.meta.dirname, "sessions"),
  sources: [
    source("jsmn", "b6bdecea-9d73-467e-91b2-402a36d7e400"),
    source("ledgerlite", "8dd9f3db-9bfe-4f32-ab40-b676ea09c369"),
    source("loglens", "db709a97-1189-4ca0-80a7-ad1bbf32d807"),
    source("meshstat", "09fbedc9-d82d-4708-ae45-c069c079b164"),
    source("ringlog", "000d2e08-c3c5-485d-87c0-6d33ff02efdf"),
    source("snapdir", "c917fb1c-1db0-4648-ba66-4d99656d7304"),
    source("tariff", "a483adb5-09e3-4c34-ae22-9b50f553e108"),
  ],
  cases: [...jsmn, ...ledgerlite, ...loglens, ...meshstat, ...ringlog, ...snapdir, ...tariff],
};
