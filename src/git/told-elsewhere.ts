const elsewhere: readonly string[] = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
];

/** Tells whether variables tell git to look for its repository elsewhere than where it runs. */
export function isToldElsewhere(env: Readonly<Record<string, string | undefined>>): boolean {
  return elsewhere.some((name) => env[name] !== undefined);
}
