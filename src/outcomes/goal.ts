/** What a command is run for, as far as its result matters to whoever goes on with the work. */
export type Goal = "build" | "test" | "lint" | "install" | "commit" | "merge" | "ci" | "review" | "decision";
