import type { AnswerMessage, Block } from "./wire.ts";

/** An event of a stream, as a client reads it. */
interface ReadEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: AnswerMessage;
  readonly content_block?: Block;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly usage?: object;
}

/** Reads the events of a streamed answer to its end. */
export async function readEvents(response: Response): Promise<readonly ReadEvent[]> {
  const records = (await response.text()).split("\n\n").filter((record) => record !== "");
  return records.map((record) => {
    const [, name, data = ""] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(record) ?? [];
    const event: ReadEvent = JSON.parse(data);
    if (event.type !== name) throw new Error(`The event ${name} holds one of the type ${event.type}.`);
    return event;
  });
}

/** Puts a streamed answer together as a client does. */
export function rebuildMessage(events: readonly ReadEvent[]): AnswerMessage {
  const begun = events.find(({ type }) => type === "message_start")?.message;
  const ended = events.find(({ type }) => type === "message_delta");
  if (begun === undefined || ended === undefined) throw new Error("The stream holds no message.");
  const content = events
    .filter(({ type }) => type === "content_block_start")
    .map(({ index, content_block }) => rebuildBlock(events, index, content_block));
  return { ...begun, content, ...ended.delta, usage: { ...begun.usage, ...ended.usage } };
}

function rebuildBlock(events: readonly ReadEvent[], index?: number, empty?: Block): Block {
  const deltas = events.filter((event) => event.type === "content_block_delta" && event.index === index);
  const joined = (field: string) => deltas.map(({ delta }) => delta?.[field] ?? "").join("");
  if (empty?.type === "tool_use") return { ...empty, input: JSON.parse(joined("partial_json")) };
  if (empty?.type === "thinking") {
    return { ...empty, thinking: joined("thinking"), signature: joined("signature") };
  }
  return { type: "text", text: joined("text") };
}
