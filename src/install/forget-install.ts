import { AppError } from "../lib/app-error.ts";
import { applyChange } from "./apply-change.ts";
import { type FileChange, refuseReadOnly } from "./file-change.ts";

/**
 * Takes an installation out of the record, once everything that the record tells of is taken back; returns why it could
 * not. As long as it stands there, taking back can be tried again.
 */
export async function forgetInstall(record: FileChange): Promise<AppError | undefined> {
  try {
    await refuseReadOnly([record]);
    await applyChange(record);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const { kind, code, message } = cause;
    const hint =
      "Make that possible, such as with the permissions of the file, and run `carryon uninit` again.";
    return new AppError(`${message} It still names what was installed here.`, { kind, code, hint, cause });
  }
}
