import type { IncomingHttpHeaders } from "node:http";
import type { Conversation } from "./conversation.ts";
import type { Step } from "./scenario.ts";

/** A request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly source: string;
}

/** Marks the place in a stream where an answer that stalls or fails is cut. */
export const middle = Symbol("middle");

/** A piece of a stream as it goes over the wire, or the mark in its middle. */
export type Frame = string | typeof middle;

/** What is sent to a client. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What is sent at once; what is streamed says the same. */
  readonly body: object | undefined;
  readonly frames?: readonly Frame[];
}

/** An error that a scenario tells to answer with. */
export type ScriptedError = NonNullable<Step["error"]>;

/** What a protocol makes of a request. */
export type Received =
  /** It is answered whatever the scenario says; a refusal says why it is not what the API takes. */
  | { readonly type: "answered"; readonly answer: Answer; readonly refusal?: string }
  /** The scenario is asked what to say, which the protocol puts into its own words. */
  | {
      readonly type: "asked";
      readonly conversation: Conversation;
      readonly say: (step: Step) => Answer;
      /** Its one frame tells the error in a stream that has begun. */
      readonly fail: (error: ScriptedError) => Answer;
    };

/** Returns a request's method and address, without the query. */
export function routeOf({ method, path }: Arrival): string {
  return `${method} ${path.replace(/\?.*$/, "")}`;
}
