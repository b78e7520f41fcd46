import { renameSync, rmSync, symlinkSync, unlinkSync } from "node:fs";

/** Puts a link in the place of a folder and takes it away again, as fast as it can, until it is killed. */
const [folder = "", target = ""] = process.argv.slice(2);
const aside = `${folder}-aside`;
process.stdout.write("begun\n");
for (;;) {
  renameSync(folder, aside);
  putLink();
  unlinkSync(folder);
  putBack();
}

/** Whoever writes meanwhile may make a folder where there is none. */
function putLink(): void {
  for (;;) {
    try {
      symlinkSync(target, folder);
      return;
    } catch {
      removeFolder();
    }
  }
}

function putBack(): void {
  for (;;) {
    try {
      renameSync(aside, folder);
      return;
    } catch {
      removeFolder();
    }
  }
}

function removeFolder(): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Something was written there at this moment: it is removed at the next try.
  }
}
