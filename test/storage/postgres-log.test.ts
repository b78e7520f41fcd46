import { describe } from "vitest";
import { conversationLogContract } from "../contract/conversation-log.ts";
import { openPostgresTestLog } from "../support/postgres-test-log.ts";

describe("conversation log on PostgreSQL", () => conversationLogContract(openPostgresTestLog));
