import type { Model, ModelEvent, ModelRequest } from "../../src/model/model.ts";

/** What became of a request: everything that was told, and the error that ended it. */
export interface Collected {
  readonly events: readonly ModelEvent[];
  readonly error: unknown;
}

const never = new AbortController().signal;

/** Asks a model and collects what happens until the reply is whole, or an error ends it. */
export async function collect(model: Model, request: ModelRequest, signal = never): Promise<Collected> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(request, signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

/** A request that is one prompt. */
export function prompt(text: string): ModelRequest {
  return { messages: [{ role: "user", parts: [{ type: "text", text }] }] };
}
