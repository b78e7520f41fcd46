import * as z from "zod";

/** The version of the form that is written; others of the same first number are read. */
export const stateVersion = "1.0.0";

const response = z.looseObject({
  thinking: z.string(),
  instruction: z.string(),
  workerModel: z.string(),
  shouldContinue: z.boolean(),
  needsCorrection: z.boolean(),
});
const count = z.int().nonnegative();
const rounds = count.nullable();

/** A finished round, and how many messages each history had by its end. */
const round = z.looseObject({
  number: z.int().positive(),
  at: z.iso.datetime({ offset: true }),
  instructor: count,
  worker: count,
  data: z.record(z.string(), z.unknown()),
});

/** SessionState of claude-master; without a limit the rounds are null. */
export const sessionStateSchema = z.looseObject({
  sessionId: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
  lastUpdatedAt: z.iso.datetime({ offset: true }),
  version: z.string().regex(/^1\./, "is not one that this Carryon knows: 1.x"),
  config: z.looseObject({
    instructorModel: z.string(),
    workerModel: z.string(),
    // The original leaves out what was not given.
    maxRounds: rounds.default(null),
    useThinking: z.boolean().default(true),
    workDir: z.string(),
  }),
  currentRound: count,
  remainingRounds: rounds,
  instructor: z.looseObject({ conversationHistory: z.array(z.unknown()), systemPrompt: z.string() }),
  worker: z.looseObject({
    conversationHistory: z.array(z.unknown()),
    /** The calls without a result that were not begun. The original has no such field, and takes no notice of it. */
    waitingCalls: z.array(z.string()).optional(),
  }),
  lastInstruction: z.string(),
  lastInstructorResponse: response.nullable(),
  /** All rounds, where they are known. The original has no such field, and takes no notice of it. */
  rounds: z.array(round).optional(),
});

export type SessionState = z.infer<typeof sessionStateSchema>;

export type WrittenRound = z.infer<typeof round>;
