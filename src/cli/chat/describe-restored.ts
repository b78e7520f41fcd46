import type { ChatStatus, Restored } from "../../chat/chat.ts";
import { plural } from "../../lib/describe.ts";
import { toPrintableLine } from "../../lib/printable.ts";

/** Says in sentences, a line each, what was there when a session was opened. */
export function describeRestored({ model }: Pick<ChatStatus, "model">, restored: Restored): string {
  const { messages, modelBefore, repaired, partial, draft, file } = restored;
  return [
    `Restored ${plural(messages, "message")}.`,
    ...(file === undefined ? [] : [describeFile(file)]),
    ...(modelBefore === undefined ? [] : [`The model is now ${model}; it was ${modelBefore}.`]),
    ...(repaired === 0 ? [] : [`${plural(repaired, "tool call")} had no result; the model is told so.`]),
    ...(partial ? ["The last reply was cut off; what had been saved of it is kept."] : []),
    ...((draft?.input ?? "") === "" ? [] : ["What was typed and not sent is still there."]),
  ]
    .map(toPrintableLine)
    .join("\n");
}

/** Says what the session file has brought. */
function describeFile({ type, more }: NonNullable<Restored["file"]>): string {
  switch (type) {
    case "added":
      return "The session of the file was not here yet.";
    case "extended":
      return "The file had more of the session than was here.";
    case "parted":
      return "The session went another way here; this is that of the file.";
    case "known":
      return more === 0
        ? "The file has nothing new."
        : "There was more of the session here than in the file.";
  }
}
