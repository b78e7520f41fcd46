import type { TestProject } from "vitest/node";
import { quickSettings, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** Gives the tests a real PostgreSQL: the one that TEST_POSTGRES_URL names, or one of their own for this run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.TEST_POSTGRES_URL;
  const server = given === undefined ? await startPostgres({ settings: quickSettings }) : undefined;
  project.provide("postgresUrl", given ?? server?.url ?? "");
  return server === undefined ? undefined : async () => server[Symbol.asyncDispose]();
}
