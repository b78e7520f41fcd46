/** What could not be found out, and why, in a sentence. */
export interface Unknown {
  readonly unknown: string;
}

/** Does what needs git and the disk; whatever goes wrong becomes a reason, since the work must go on. */
export async function orUnknown<Value>(doing: () => Promise<Value>): Promise<Value | Unknown> {
  try {
    return await doing();
  } catch (error) {
    if (error instanceof Error) return { unknown: error.message };
    throw error;
  }
}
