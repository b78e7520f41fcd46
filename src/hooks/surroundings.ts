import type { WireEvent } from "./wire.ts";

/** The rules of redaction, which are only loaded when a payload may hold a secret. */
interface Redaction {
  readonly makeSafe: <Payload>(payload: Payload) => Payload;
}

/** The rules of gates, which are only loaded where there may be any. */
export interface GateRules {
  /** Answers an event for the gates of its folder, in the words of the client; undefined for no answer. */
  readonly answerForGates: (session: GatedSession, wire: WireEvent) => Promise<GateAnswer | undefined>;
}

interface GateAnswer {
  readonly output: string;
  /** Whether it lets something not happen, so that nobody else need be asked. */
  readonly refuses: boolean;
}

/** A session of a client, in the folder that it works in. */
interface GatedSession extends Pick<HookSurroundings, "home" | "env" | "process" | "note"> {
  readonly clientFolder: string;
  readonly session: string;
  readonly cwd: string;
  /** What is asked about: all that gates guard, or what a command writes here from elsewhere. */
  readonly watches: "all" | "writes";
  /** Asks Carryon whether the user trusts the project of the folder; undefined where nobody can say. */
  readonly askTrust: () => Promise<boolean | undefined>;
}

/** What a hook may touch. */
export interface HookSurroundings {
  /** The home folder of Carryon. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user. */
  readonly userHome: string;
  /** This process, and the client that it works for. */
  readonly process: { readonly pid: number; readonly client: number };
  readonly loadRedaction: () => Redaction;
  readonly loadGates: () => GateRules;
  /** Tells the log what went wrong. */
  readonly note: (what: string) => void;
  /** Gives the client its answer. */
  readonly say: (text: string) => void;
}
