/** A row of a prompt, or of what a tool gave back. */
export const user = (uuid: string, content: unknown, more: object = {}) => ({
  ...{ type: "user", uuid, parentUuid: null, timestamp: "2026-11-15T12:00:00.000Z" },
  ...{ message: { role: "user", content }, ...more },
});
/** A row of an answer. */
export const assistant = (uuid: string, parentUuid: string, content: unknown, more: object = {}) => ({
  ...{ type: "assistant", uuid, parentUuid, timestamp: "2026-11-15T12:00:01.000Z" },
  message: { role: "assistant", id: "msg_1", model: "claude-opus-5-5", content, ...more },
});
/** A second of the minute in which all of it happens. */
export const at = (second: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, second));
/** The entry of a prompt. */
export const prompt = (id: string, text: string, parent: string | null = null) => ({
  ...{ id, parent, at: at(0), kind: "message", role: "user", parts: [{ type: "text", text }] },
});
