/** The rules of redaction, which are only loaded when a payload may hold a secret. */
export interface Redaction {
  readonly makeSafe: <Payload>(payload: Payload) => Payload;
}

/** What a hook may touch. */
export interface HookSurroundings {
  /** The home folder of Carryon. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly loadRedaction: () => Redaction;
  /** Tells the log what went wrong. */
  readonly note: (what: string) => void;
}
