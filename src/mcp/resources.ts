import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "../lib/app-error.ts";
import { quote } from "./answer.ts";
import { Call } from "./call.ts";
import type { Host } from "./host.ts";
import { findOwn, readRecord, readRecordIfAny } from "./record/read-record.ts";
import { describeSession, showSession } from "./record/show-session.ts";
import { describeFailure } from "./report-failure.ts";

const root = "carryon://";
/** More are not for choosing among; any can be read by its id. */
const mostListed = 50;
/** Room for all of a long handover. */
const largestBudget = 8_000;

/** Counts something as under way until it has ended. */
type Follower = <Result>(running: Promise<Result>) => Promise<Result>;

/** Offers what can be read without a call: the sessions of this project and its handover. */
export function addResources(
  server: McpServer,
  host: Host,
  { signal, follow }: { readonly signal: AbortSignal; readonly follow: Follower },
): void {
  const type = { mimeType: "text/markdown" };
  const reading = (uri: string, read: (call: Call) => Promise<string>) =>
    follow(readResource(uri, () => read(new Call(host, signal))));
  server.registerResource(
    "handover",
    `${root}handover`,
    { ...type, title: "Handover", description: "What earlier sessions in this project left, quoted." },
    () =>
      reading(`${root}handover`, async (call) =>
        (await import("./answers/handover.ts")).answerBrief(call, largestBudget),
      ),
  );
  server.registerResource(
    "session",
    new ResourceTemplate(`${root}session/{id}`, { list: () => list(new Call(host, signal)) }),
    { ...type, title: "Session", description: "The transcript of a session of this project, quoted." },
    ({ href }, { id }) => reading(href, (call) => readSession(call, String(id))),
  );
  server.registerResource(
    "session-part",
    new ResourceTemplate(`${root}session/{id}/{cursor}`, { list: undefined }),
    { ...type, title: "More of a session", description: "Goes on where another part of a session ended." },
    ({ href }, { id, cursor }) => reading(href, (call) => readSession(call, String(id), String(cursor))),
  );
}

async function list(call: Call) {
  const found = await readRecordIfAny(call, ({ log, project, now }) =>
    log.list({ project: project.id, now, limit: mostListed }),
  );
  // Titles are recorded text, which is only quoted.
  return {
    resources: (found?.sessions ?? []).map((session) => ({
      ...{ name: session.id, uri: `${root}session/${session.id}`, mimeType: "text/markdown" },
      description: describeSession(session),
    })),
  };
}

async function readSession(call: Call, id: string, cursor?: string): Promise<string> {
  return readRecord(call, async (record) => {
    const session = await findOwn(record, id);
    const { text, next } = await showSession(record, session, { cursor });
    const more = next === undefined ? "" : ` There is more in ${root}session/${session.id}/${next}`;
    return quote(`${describeSession(session)}${more}`, text);
  });
}

/** The protocol's own codes. */
const notFound = -32002;
const internalError = -32603;

async function readResource(uri: string, read: () => Promise<string>): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri, mimeType: "text/markdown", text: await read() }] };
  } catch (error) {
    const isUsage = error instanceof AppError && error.kind === "usage";
    throw Object.assign(new Error(describeFailure(error)), { code: isUsage ? notFound : internalError });
  }
}
