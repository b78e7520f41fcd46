import { describe } from "vitest";
import { conversationLogContract } from "../contract/conversation-log.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe("conversation log on SQLite", () => conversationLogContract(openSqliteTestLog));
