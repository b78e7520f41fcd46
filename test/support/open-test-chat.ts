import type { Approval, AskedCall, Chat, ChatDesk, ChatEvent } from "../../src/chat/chat.ts";
import { openChat } from "../../src/chat/open-chat.ts";
import type { SessionFile } from "../../src/chat/session-file.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import type { Model } from "../../src/model/model.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import type { SessionId } from "../../src/sessions/ids.ts";
import type { Toolbox } from "../../src/tools/tool.ts";
import type { TestLog } from "../contract/test-log.ts";
import { collect, start } from "./entries.ts";

export interface TestChatOptions {
  readonly model: Model;
  readonly toolbox?: Toolbox;
  readonly session?: SessionId;
  readonly name?: string;
  readonly desk?: Partial<ChatDesk>;
  readonly onTick?: (tick: () => void) => void;
  readonly draft?: () => { readonly input: string };
  readonly file?: SessionFile;
  readonly onTrouble?: (error: unknown) => void;
}

/** Opens a chat over the store of a test; its clock ticks a second at each look, its timer when the test says so. */
export function openTestChat(test: TestLog, options: TestChatOptions): Promise<Chat> {
  const { model, toolbox, session, name, desk, onTick, draft, file } = options;
  let seconds = 0;
  return openChat({
    desk: {
      ...{ store: test, project: test.project, cwd: "/work", machine: "here", version: "test" },
      clock: { now: () => new Date(start.getTime() + 1000 * seconds++) },
      random: systemRandom,
      place: async () => ({ branch: "main", commit: "c0ffee" }),
      toolbox,
      openModel: async (wanted) => ({ ...model, name: wanted }),
      system: "Be brief.",
      ...desk,
    },
    model,
    ...(session === undefined ? {} : { session }),
    ...(name === undefined ? {} : { name }),
    autoSaveInterval: onTick === undefined ? 0 : 300,
    ticker: (_ms, tick) => {
      onTick?.(tick);
      return () => undefined;
    },
    draft: draft ?? (() => ({ input: "" })),
    onTrouble: options.onTrouble ?? (() => undefined),
    ...(file === undefined ? {} : { file }),
    close: async () => undefined,
  });
}

/** Says something and collects what happens; every call is approved unless the test says otherwise. */
export function sayAll(
  chat: Chat,
  text: string,
  more: { readonly signal?: AbortSignal; readonly approve?: (asked: AskedCall) => Promise<Approval> } = {},
): Promise<readonly ChatEvent[]> {
  const { signal = new AbortController().signal, approve = async () => "yes" } = more;
  return collect(chat.say(text, { signal, approve }));
}

/** Reads what a session says, without what differs from run to run. */
export async function readContents(test: TestLog, session: SessionId): Promise<readonly object[]> {
  return (await collect(test.log.read(session))).map(withoutEnvelope);
}

export function withoutEnvelope(entry: Entry): object {
  const {
    id: _id,
    session: _session,
    seq: _seq,
    parent: _parent,
    strand: _strand,
    at: _at,
    ...content
  } = entry;
  return content;
}
