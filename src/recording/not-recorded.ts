/** Why nothing is recorded: because of the folder, or of the session. */
export type NotRecorded = "folder" | "session";

/** Says why nothing is recorded, and how that is changed. */
export function describeNotRecorded(why: NotRecorded): string {
  return why === "folder"
    ? "Carryon does not record what happens in this folder: `record` in config.yaml says so."
    : "Carryon does not record this session: it is private until `carryon private --off`.";
}
