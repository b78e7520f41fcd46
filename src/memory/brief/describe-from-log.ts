import type { FromLog } from "../../handover/read-documents.ts";

/** Says what of a brief is not from the folder that it is for. */
export function describeFromLog(fromLog: FromLog | undefined): string {
  if (fromLog === undefined) return "";
  const { hasSession, hasDecisions, root } = fromLog;
  const what = [...(hasSession ? ["session.md"] : []), ...(hasDecisions ? ["the decisions"] : [])].join(
    " and ",
  );
  const where = root === undefined ? "" : `, as of ${root}`;
  return `This folder has no session.md. What is told of ${what} is from this user's log: it was written in another work tree or clone of this project${where}. Files that it names may be only there.`;
}
