import { describe } from "vitest";
import { resumingChatsContract } from "../contract/resuming-chats.ts";
import { openSqliteTestLog } from "../support/test-log.ts";

describe("a chat that goes on with a session on SQLite", () => resumingChatsContract(openSqliteTestLog));
