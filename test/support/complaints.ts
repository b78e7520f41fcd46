import {
  claudeTraits,
  nothing as nothingOfMessages,
  toRequest as toMessagesRequest,
} from "../../src/model/anthropic/to-request.ts";
import type { ModelMessage } from "../../src/model/model.ts";
import {
  nothing as nothingOfChat,
  openaiTraits,
  toRequest as toChatRequest,
} from "../../src/model/openai/to-request.ts";
import { complaintOf } from "./model-server/anthropic/sample-requests.ts";
import { checkRequest as checkChatRequest } from "./model-server/openai/check-request.ts";

/** Returns what the two APIs say against messages, as our providers would send them. */
export function complaints(messages: readonly ModelMessage[]): readonly string[] {
  const ofMessages = complaintOf(toMessagesRequest({ messages }, "m", claudeTraits("m"), nothingOfMessages));
  const chat = JSON.stringify(toChatRequest({ messages }, "m", openaiTraits("m"), nothingOfChat));
  const checked = checkChatRequest({ authorization: "Bearer sk-test" }, chat);
  return [
    ...(ofMessages === "taken" ? [] : [ofMessages]),
    ...("refusal" in checked ? [checked.refusal.message] : []),
  ];
}
