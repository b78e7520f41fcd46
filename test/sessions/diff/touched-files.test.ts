import { describe, expect, it } from "vitest";
import { filesOf, redirectedFiles } from "../../../src/sessions/diff/touched-files.ts";

describe("redirectedFiles", () => {
  it.each([
    ["npm test > out.log 2>&1", ["out.log"]],
    ["echo a >> notes/a.md && echo b > b.md", ["notes/a.md", "b.md"]],
    ["make 2> err.log", ["err.log"]],
    ["echo 'a > b' > c", ["c"]],
    ['echo "x $y > z" > c', ["c"]],
    ["ls > /dev/null", []],
    ["grep a b | wc -l", []],
    ["cd sub && echo a > b", []],
    ["echo a > $FILE", []],
    ["echo a > ~/b", []],
    ["echo a > *.md", []],
    ["cat <<EOF > a\nx\nEOF", []],
    ["if [ 1 > 2 ]; then x; fi", []],
    ['node -e "it\'s" > x', ["x"]],
    ["echo it's > x", []],
    ["true # > x", []],
    ["ssh host echo > x", []],
  ])("of %j are %j", (command, files) => {
    expect(redirectedFiles(command)).toEqual(files);
  });
});

describe("filesOf", () => {
  it.each([
    { name: "Edit", input: { file_path: "/w/src/a.ts" }, files: [{ path: "src/a.ts", use: "write" }] },
    {
      name: "NotebookEdit",
      input: { notebook_path: "/w/n.ipynb" },
      files: [{ path: "n.ipynb", use: "write" }],
    },
    { name: "MultiEdit", input: { file_path: "/other/a" }, files: [{ path: "/other/a", use: "write" }] },
    { name: "Read", input: { file_path: "/w/../x" }, files: [{ path: "/w/../x", use: "read" }] },
    { name: "edit", input: { path: "./a//b" }, files: [{ path: "a/b", use: "write" }] },
    { name: "bash", input: { command: "echo > a" }, files: [{ path: "a", use: "write" }] },
    { name: "Grep", input: { path: "src" }, files: [] },
    { name: "Write", input: { file_path: 5 }, files: [] },
    { name: "Write", input: null, files: [] },
  ])("of $name $input are $files", ({ name, input, files }) => {
    expect(filesOf({ type: "tool-call", call: "1", name, input }, "/w")).toEqual(files);
  });
});
