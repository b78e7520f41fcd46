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
const rounds = z.int().nonnegative().nullable();

/** SessionState of claude-master; without a limit the rounds are null. */
export const sessionStateSchema = z.looseObject({
  sessionId: z.string(),
  createdAt: z.iso.datetime({ offset: true }),
  lastUpdatedAt: z.iso.datetime({ offset: true }),
  version: z.string().regex(/^1\./, "is not one that this Carryon knows: 1.x"),
  config: z.looseObject({
    instructorModel: z.string(),
    workerModel: z.string(),
    maxRounds: rounds,
    useThinking: z.boolean(),
    workDir: z.string(),
  }),
  currentRound: z.int().nonnegative(),
  remainingRounds: rounds,
  instructor: z.looseObject({ conversationHistory: z.array(z.unknown()), systemPrompt: z.string() }),
  worker: z.looseObject({ conversationHistory: z.array(z.unknown()) }),
  lastInstruction: z.string(),
  lastInstructorResponse: response.nullable(),
});

export type SessionState = z.infer<typeof sessionStateSchema>;
