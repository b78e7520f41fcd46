import type { Caller } from "../workspace/workspace.ts";
import type { Host } from "./host.ts";

/** A call of a tool, or a look at a resource. */
export class Call {
  /** Aborts when the client takes the call back, or when the server has to end. */
  readonly signal: AbortSignal;
  readonly #host: Host;
  #remarks = "";

  constructor(host: Host, signal: AbortSignal) {
    this.#host = host;
    this.signal = signal;
  }

  /** What operations warned of, a line each. */
  get remarks(): string {
    return this.#remarks;
  }

  /** The process that asks. Whoever calls a tool is an agent, whatever its client says of itself. */
  get caller(): Caller {
    const caller = this.#host.caller();
    return {
      ...caller,
      env: { AGENT: "mcp", ...caller.env },
      warn: (warning) => {
        this.#remarks += `${warning}\n`;
      },
    };
  }

  /** Returns the process that asks, in the session that the client is in where that is known. */
  async inSession(): Promise<Caller> {
    const { caller } = this;
    const session = await (await import("../gates/find-caller.ts")).findCaller(caller);
    return session === undefined ? caller : { ...caller, env: { ...caller.env, CARRYON_SESSION: session } };
  }
}
