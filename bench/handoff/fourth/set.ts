import { join } from "node:path";
import type { CaseSet, Source } from "../case.ts";
import { handoffs as cachewarm } from "./facts/cachewarm.ts";
import { handoffs as estacion } from "./facts/estacion.ts";
import { handoffs as factures } from "./facts/factures.ts";
import { handoffs as kirjasto } from "./facts/kirjasto.ts";
import { handoffs as lagerbot } from "./facts/lagerbot.ts";
import { handoffs as ledgerd } from "./facts/ledgerd.ts";
import { handoffs as mapsheet } from "./facts/mapsheet.ts";

function source(id: string, sessionId: string): Source {
  return { id, sessionId, project: id, cwd: `/home/dev/src/${id}` };
}

/** Written sessions of kinds that the other sets lack; their facts were written before anybody saw a brief of them. */
export const fourth: CaseSet = {
  name: "fourth",
  folder: join(import.meta.dirname, "sessions"),
  sources: [
    source("cachewarm", "0f3b7c52-91aa-4c1e-8b7d-2a4e6f8091a1"),
    source("estacion", "5b0c9d8e-1f20-4344-a556-6778899001bb"),
    source("factures", "4a9b8c7d-0e1f-4233-9445-5667788990aa"),
    source("kirjasto", "2c8f4b61-5d7e-4a90-b1c2-d3e4f5a6b7c8"),
    source("lagerbot", "1d5e9a70-2b3c-4f6a-9c8e-7b6a5d4c3b2a"),
    source("ledgerd", "6c1d0e9f-2031-4455-b667-7889900112cc"),
    source("mapsheet", "3e7a9d52-6c1b-4e8f-a0d9-b8c7d6e5f4a3"),
  ],
  cases: [...cachewarm, ...estacion, ...factures, ...kirjasto, ...lagerbot, ...ledgerd, ...mapsheet],
};
