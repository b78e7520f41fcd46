import { describe } from "vitest";
import { resumingChatsContract } from "../contract/resuming-chats.ts";
import { openPostgresTestLog } from "../support/postgres-test-log.ts";

describe("a chat that goes on with a session on PostgreSQL", () =>
  resumingChatsContract(openPostgresTestLog));
