import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git } from "../../support/git-repo.ts";
import { repoIn, writeFiles } from "../../support/save-repo.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";
import { placeOf, shell, writesOf } from "../../support/tree-writes.ts";

/** Makes a repository with changed, staged, removed, new and ignored files, a link and a branch that differs. */
async function busyIn(path: string): Promise<string> {
  const root = await repoIn(path);
  await writeFiles(root, { "c.txt": "c\n", "d.txt": "d\n", "e.txt": "e\n", ".gitignore": "*.log\n/out/\n" });
  await shell(root, "ln -s a.txt link; git add -A; git commit -qm second");
  await shell(
    root,
    "git switch -qc side; echo side > src/b.txt; echo new > side.txt; git add -A; git commit -qm side",
  );
  await git(root, "switch", "-q", "main");
  await writeFiles(root, {
    "c.txt": "changed\n",
    "new.txt": "new\n",
    "folder/new.txt": "new\n",
    "old.log": "x\n",
  });
  await shell(
    root,
    "echo staged > d.txt; git add d.txt; rm e.txt; mkdir ../outside; echo x > ../outside/file; mkdir -p out.log/deep; echo x > out.log/deep/it; mkdir ../source; echo B > ../source/b.txt",
  );
  return root;
}

const commands: readonly (readonly [does: string, command: string, writes: readonly string[]])[] = [
  ["nothing", "true", []],
  ["reads", "cat a.txt c.txt new.txt; grep -r x . || true; git status; git diff; git log", []],
  ["appends to a clean file", "echo x >> a.txt", ["a.txt"]],
  ["appends to a changed file", "echo x >> c.txt", ["c.txt"]],
  ["appends to a staged file", "echo x >> d.txt", ["d.txt"]],
  ["appends to a new file", "echo x >> new.txt", ["new.txt"]],
  ["replaces a changed file by one of the same size", "echo CHANGED > c.txt", ["c.txt"]],
  ["writes the same again to a changed file", "echo changed > c.txt", ["c.txt"]],
  ["writes the same again to a clean file", "echo a > a.txt", []],
  ["edits in place", "sed -i s/a/A/ a.txt; sed -i s/c/C/ c.txt", ["a.txt", "c.txt"]],
  ["edits in place without a change", "sed -i s/nothing/x/ a.txt", []],
  [
    "hides the time of a write",
    "touch -r c.txt ../time; echo CHANGED > c.txt; touch -r ../time c.txt",
    ["c.txt"],
  ],
  [
    "writes a file that git is told to take for unchanged",
    "git update-index --assume-unchanged a.txt && echo x >> a.txt",
    ["a.txt"],
  ],
  [
    "writes a file that git is told to leave out",
    "git update-index --skip-worktree a.txt && echo x >> a.txt",
    ["a.txt"],
  ],
  [
    "lets git ignore what it writes, in this repository alone",
    "mkdir -p .git/info; echo unseen.txt >> .git/info/exclude; echo x > unseen.txt",
    [".git/info/exclude"],
  ],
  [
    "writes a file of the gates that git ignores",
    "mkdir .claude; echo '*' > .claude/.gitignore; echo x > .claude/requirements.local.yaml",
    [".claude/.gitignore", ".claude/requirements.local.yaml"],
  ],
  ["lets git take a file for unchanged, and writes nothing", "git update-index --assume-unchanged a.txt", []],
  [
    "removes what is kept of the gates",
    "rm -rf .git/requirements",
    [".git/requirements", ".git/requirements/marks"],
  ],
  ["removes a clean file", "rm a.txt", ["a.txt"]],
  ["removes a changed file", "rm c.txt", ["c.txt"]],
  ["removes a new file", "rm new.txt", ["new.txt"]],
  ["removes a folder of them", "rm -r folder", ["folder/new.txt"]],
  ["brings back a removed file", "git checkout -q -- e.txt", ["e.txt"]],
  ["moves a clean file", "mv a.txt z.txt", ["a.txt", "z.txt"]],
  ["moves a new file", "mv new.txt newer.txt", ["new.txt", "newer.txt"]],
  ["moves a folder", "mv folder other", ["folder/new.txt", "other/new.txt"]],
  ["moves a folder of clean files", "mv src lib", ["lib/b.txt", "src/b.txt"]],
  ["moves a folder in from outside", "mv ../outside inside", ["inside/file"]],
  ["moves a folder in that was ignored", "mv out.log/deep seen", ["seen/it"]],
  ["puts a folder in place of another", "mkdir ../b; mv src ../b; mv ../source src", ["src/b.txt"]],
  ["copies", "cp a.txt copy.txt; cp -p c.txt kept.txt", ["copy.txt", "kept.txt"]],
  ["makes a file in a new folder", "mkdir -p x/y; echo 1 > x/y/z", ["x/y/z"]],
  ["makes an empty folder", "mkdir empty", []],
  ["touches a clean file", "touch a.txt", []],
  ["touches a changed file", "touch c.txt", ["c.txt"]],
  ["makes an empty file", "touch empty.txt", ["empty.txt"]],
  ["makes a file executable", "chmod +x a.txt c.txt new.txt", ["a.txt", "c.txt", "new.txt"]],
  ["changes a mode that git does not see", "chmod g-r a.txt", []],
  [
    "saves like an editor",
    "echo A > .a.swp; mv .a.swp a.txt; echo C > .c.swp; mv .c.swp c.txt",
    ["a.txt", "c.txt"],
  ],
  ["turns a file into a folder", "rm a.txt; mkdir a.txt; echo x > a.txt/x", ["a.txt", "a.txt/x"]],
  ["points a link elsewhere", "ln -sfn src link", ["link"]],
  ["makes a link", "ln -s /etc/passwd secret", ["secret"]],
  ["replaces a link by a file", "rm link; echo a.txt > link", ["link"]],
  ["writes through a link inside", "echo x >> link", ["a.txt"]],
  ["writes outside", "echo x >> ../outside/file; echo y > ../outside/new; rm -f ../outside/file", []],
  ["writes through a link that leads outside", "ln -s ../outside/file way.log; echo x >> way.log", []],
  ["writes ignored files", "echo x >> old.log; echo y > new.log; mkdir out; echo z > out/z", []],
  ["stops ignoring files", "echo '/out/' > .gitignore", [".gitignore"]],
  ["stops ignoring files by a setting", "git config core.excludesFile /dev/null", [".git/config"]],
  ["writes what is git's own", "git config user.name X; echo x > .git/x; git tag t; git branch b", []],
  [
    "writes a plan",
    "mkdir -p .claude/plans/x; echo x > .claude/plans/x/y.md; echo z > .claude/plans/z.md",
    [],
  ],
  ["writes the state of the work", "mkdir -p .claude; echo {} > .claude/session-state.json", []],
  ["writes a lock of ours", "mkdir -p docs; echo x > docs/.decisions.md.carryon-lock", []],
  [
    "writes other files beside them",
    "mkdir -p .claude/plansx src/.claude/plans; for f in .claude/settings.json .claude/plansx/a src/.claude/plans/a; do echo x > $f; done",
    [".claude/plansx/a", ".claude/settings.json", "src/.claude/plans/a"],
  ],
  ["stages", "git add -A", []],
  ["unstages", "git reset -q", []],
  ["forgets a file without removing it", "git rm -q --cached a.txt", []],
  ["commits what is staged", "git commit -qm x", []],
  ["commits everything", "git add -A; git commit -qm x", []],
  ["commits what is changed", "git commit -qam x", []],
  ["writes and commits", "echo x >> a.txt; echo y > y.txt; git add -A; git commit -qm x", ["a.txt", "y.txt"]],
  ["removes and commits", "git rm -q a.txt; git commit -qm x", ["a.txt"]],
  ["takes a commit back, and leaves the files", "git stash list; git reset -q --soft HEAD~1", []],
  ["takes a commit back from the index too", "git reset -q HEAD~1", []],
  ["says the commit again", "git commit -q --amend -m again", []],
  ["takes everything back", "git reset -q --hard", ["c.txt", "d.txt", "e.txt"]],
  ["takes a file back", "git checkout -q -- c.txt", ["c.txt"]],
  ["takes a clean file back", "git checkout -q -- a.txt; git restore a.txt", []],
  ["takes a file from elsewhere", "git checkout -q side -- side.txt", ["side.txt"]],
  ["puts away", "git stash -q", ["c.txt", "d.txt", "e.txt"]],
  ["puts away new files too", "git stash -qu", ["c.txt", "d.txt", "e.txt", "folder/new.txt", "new.txt"]],
  ["puts away and takes out again", "git stash -q; git stash pop -q", ["c.txt", "d.txt"]],
  ["cleans", "git clean -qfd", ["folder/new.txt", "new.txt"]],
  ["switches branches", "git switch -q side", ["side.txt", "src/b.txt"]],
  ["makes a branch", "git switch -qc other", []],
  ["starts anew without history", "git checkout -q --orphan bare", []],
  ["detaches", "git checkout -q --detach", []],
  ["merges", "git merge -q side", ["side.txt", "src/b.txt"]],
  ["picks", "git stash -q; git cherry-pick side", ["c.txt", "d.txt", "e.txt", "side.txt", "src/b.txt"]],
  ["applies a patch", "git diff main side | git apply", ["side.txt", "src/b.txt"]],
  [
    "takes mail",
    "git stash -q; git format-patch -q --stdout main..side | git am -q; git stash pop -q",
    [...["c.txt", "d.txt", "side.txt", "src/b.txt"]],
  ],
  ["makes another work tree inside", "git worktree add -q wt side; echo x >> wt/a.txt", []],
];

describe("tells what a command writes that", () => {
  let template: TempDir;
  beforeAll(async () => {
    template = await tempDir();
    await busyIn(template.join("repo"));
  });
  afterAll(() => template[Symbol.asyncDispose]());

  it.each(commands)("%s", async (_, command, writes) => {
    await using dir = await tempDir();
    // What was written just before a mark cannot be told from what is written just after it.
    await shell(template.path, `cp -a . '${dir.path}'; sleep 0.03`);
    const place = placeOf(dir.join("repo"));
    expect(await writesOf(place, command)).toEqual(writes);
  });
});

it("tells what a pull brings", async () => {
  await using dir = await tempDir();
  const origin = await repoIn(dir.join("origin"));
  await git(dir.path, "clone", "-q", "origin", "clone");
  await shell(
    origin,
    "echo x > a.txt; git rm -q src/b.txt; echo y > c.txt; git add -A; git commit -qm second",
  );
  const place = placeOf(dir.join("clone"));
  expect(await writesOf(place, "git fetch -q")).toEqual([]);
  expect(await writesOf(place, "git pull -q")).toEqual(["a.txt", "c.txt", "src/b.txt"]);
  expect(await writesOf(place, "git pull -q")).toEqual([]);
});

it("does not take for removed what was not there before", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  await shell(root, "git rm -q a.txt; git commit -qm second");
  const place = placeOf(root);
  expect(await writesOf(place, "git reset -q --soft HEAD~1")).toEqual([]);
  expect(await writesOf(place, "git reset -q")).toEqual([]);
  expect(await writesOf(place, "echo x > x; git add x; rm x")).toEqual([]);
});

it("tells what is written before the first commit and with it", async () => {
  await using dir = await tempDir();
  await git(dir.path, "init", "-q");
  const place = placeOf(dir.path);
  expect(await writesOf(place, "echo a > a; echo b > b")).toEqual(["a", "b"]);
  expect(await writesOf(place, "echo c > c; git add -A; git commit -qm first")).toEqual(["c"]);
  expect(await writesOf(place, "git rm -q a; git commit -qm second")).toEqual(["a"]);
});

it("tells it in a repository of SHA-256, from its first commit on", async () => {
  await using dir = await tempDir();
  await git(dir.path, "init", "-q", "--object-format=sha256");
  const place = placeOf(dir.path);
  await writeFiles(dir.path, { old: "old\n" });
  expect(await writesOf(place, "echo c > c; git add -A; git commit -qm first")).toEqual(["c"]);
});

it("names files whose names are any bytes", async () => {
  await using dir = await tempDir();
  const root = await repoIn(dir.join("repo"));
  const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]);
  writeFileSync(odd, "x");
  const place = placeOf(root);
  expect(await writesOf(place, "true")).toEqual([]);
  const command =
    "printf more >> \"$(printf '\\377\\376')\"; echo x > 'two\nlines'; echo x > ' \"quoted\" -> x'; echo x > größe";
  expect(await writesOf(place, command)).toEqual([' "quoted" -> x', "größe", "two\nlines", "\\xff\\xfe"]);
});
