const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const;

/** The person or the system asked the process to stop. Not an error of anybody: the process just ends as asked. */
export class Interrupted extends Error {
  readonly signal: keyof typeof exitCodes;
  /** What a shell reports for a process that the signal ended. */
  readonly exitCode: number;

  constructor(signal: keyof typeof exitCodes) {
    super(`Interrupted by ${signal}.`);
    this.name = "Interrupted";
    this.signal = signal;
    this.exitCode = exitCodes[signal];
  }
}
