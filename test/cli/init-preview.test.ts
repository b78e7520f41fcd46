import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { renderPreview } from "../../src/cli/init/render-preview.ts";
import { addHooks } from "../../src/clients/claude-code/hook-settings.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { makeRepo } from "../support/git-repo.ts";
import { openCarryon } from "../support/run-carryon.ts";

const context = { style: makeStyle({ colors: false }), columns: 60 };

/** Makes sizes the same in every version. */
const stable = (text: string) => text.replace(/[\d.]+ kB/g, "<size>").replaceAll(process.execPath, "<node>");

describe("what init and uninit show before they ask", () => {
  it("is the command once, the events, and every other line outside the folder of Carryon", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    await makeRepo(work, ["first"]);
    await mkdir(join(work, ".claude"));
    await writeFile(join(work, ".claude", "settings.local.json"), '{ "model": "opus" }\n');
    const added = stable((await carryon.call(["init", "--yes", "--no-import"])).stdout);
    expect(added).toMatchInlineSnapshot(`
      "Carryon's own files
        <folder>/home/bin/carryon-hook.cjs (<size>, new)
        <folder>/home/bin/carryon-redaction.cjs (<size>, new)
        <folder>/home/bin/carryon-gates.cjs (138 B, new)
        <folder>/home/bin/carryon-gates-base.cjs (<size>, new)
        <folder>/home/bin/carryon-gates-writer.cjs (<size>, new)
        <folder>/home/bin/carryon-gates-shell.cjs (<size>, new)
        <folder>/home/bin/carryon-gates-patterns.cjs (<size>, new)
        <folder>/home/bin/carryon-gates-config.cjs (<size>, new)
        <folder>/home/bin/carryon-gates-rolldown-runtime.cjs (377 B, new)
        <folder>/home/bin/carryon.json (new)
        <folder>/home/bin/carryon (new)
        <folder>/home/bin/carryon-hook (new)
        <folder>/home/installs.json (new)
      <folder>/work/.git/info/exclude (changed)
           7 + /.claude/settings.local.json
           8 + /.claude/commands/session/load.md
           9 + /.claude/commands/session/new.md
          10 + /.claude/commands/session/save.md
          11 + /.claude/commands/session/status.md
          12 + /.claude/skills/arch-review/SKILL.md
          13 + /.claude/skills/plan-review/SKILL.md
          14 + /.claude/skills/sdd-handover/SKILL.md
          15 + /.mcp.json
      <folder>/work/.claude/commands/session/load.md (new)
      <folder>/work/.claude/commands/session/new.md (new)
      <folder>/work/.claude/commands/session/save.md (new)
      <folder>/work/.claude/commands/session/status.md (new)
      <folder>/work/.claude/skills/arch-review/SKILL.md (new)
      <folder>/work/.claude/skills/plan-review/SKILL.md (new)
      <folder>/work/.claude/skills/sdd-handover/SKILL.md (new)
      <folder>/work/.mcp.json (new)
           1 + {
           2 +   "mcpServers": {
           3 +     "carryon": { "command": "<folder>/home/bin/carryon", "args": ["mcp"] }
           4 +   }
           5 + }
      <folder>/work/.claude/settings.local.json (changed)
        + at SessionStart, UserPromptSubmit, UserPromptExpansion, PreToolUse,
            PostToolUse, PostToolUseFailure, PostToolBatch, SubagentStop,
            PreCompact, PostCompact, Stop, SessionEnd
          run: if [ -x '<node>' ] && [ -f '<folder>/home/bin/carryon-hook.cjs' ]; then exec '<node>' '<folder>/home/bin/carryon-hook.cjs'; fi
      Add --dry-run to see every line.
      Claude Code will ask you once whether it may start the server of .mcp.json.
      This project will be trusted: its gates and documents count.
      "
    `);
    const removed = stable((await carryon.call(["uninit", "--yes"])).stdout);
    expect(removed).toMatchInlineSnapshot(`
      "Carryon's own files
        <folder>/home/bin/carryon-hook.cjs (removed)
        <folder>/home/bin/carryon-redaction.cjs (removed)
        <folder>/home/bin/carryon-gates.cjs (removed)
        <folder>/home/bin/carryon-gates-base.cjs (removed)
        <folder>/home/bin/carryon-gates-writer.cjs (removed)
        <folder>/home/bin/carryon-gates-shell.cjs (removed)
        <folder>/home/bin/carryon-gates-patterns.cjs (removed)
        <folder>/home/bin/carryon-gates-config.cjs (removed)
        <folder>/home/bin/carryon-gates-rolldown-runtime.cjs (removed)
        <folder>/home/bin/carryon.json (removed)
        <folder>/home/bin/carryon (removed)
        <folder>/home/bin/carryon-hook (removed)
        <folder>/home/installs.json (removed)
      <folder>/work/.claude/settings.local.json (changed)
        - at SessionStart, UserPromptSubmit, UserPromptExpansion, PreToolUse,
            PostToolUse, PostToolUseFailure, PostToolBatch, SubagentStop,
            PreCompact, PostCompact, Stop, SessionEnd
          run: if [ -x '<node>' ] && [ -f '<folder>/home/bin/carryon-hook.cjs' ]; then exec '<node>' '<folder>/home/bin/carryon-hook.cjs'; fi
      <folder>/work/.mcp.json (removed)
           1 - {
           2 -   "mcpServers": {
           3 -     "carryon": { "command": "<folder>/home/bin/carryon", "args": ["mcp"] }
           4 -   }
           5 - }
      <folder>/work/.claude/commands/session/load.md (removed)
      <folder>/work/.claude/commands/session/new.md (removed)
      <folder>/work/.claude/commands/session/save.md (removed)
      <folder>/work/.claude/commands/session/status.md (removed)
      <folder>/work/.claude/skills/arch-review/SKILL.md (removed)
      <folder>/work/.claude/skills/plan-review/SKILL.md (removed)
      <folder>/work/.claude/skills/sdd-handover/SKILL.md (removed)
      <folder>/work/.git/info/exclude (changed)
           7 - /.claude/settings.local.json
           8 - /.claude/commands/session/load.md
           9 - /.claude/commands/session/new.md
          10 - /.claude/commands/session/save.md
          11 - /.claude/commands/session/status.md
          12 - /.claude/skills/arch-review/SKILL.md
          13 - /.claude/skills/plan-review/SKILL.md
          14 - /.claude/skills/sdd-handover/SKILL.md
          15 - /.mcp.json
      Add --dry-run to see every line.
      This project will not be trusted any more.
      "
    `);
  });

  it("is the old command and the new one where hooks are replaced", () => {
    const [before, after] = ["run old/carryon-hook.cjs", "run new/carryon-hook.cjs"].map((command) =>
      addHooks("{}\n", command),
    );
    const shown = renderPreview([{ path: "/shop/settings.json", before, after }], "/home/.carryon", context);
    expect(shown).toMatchInlineSnapshot(`
      "/shop/settings.json (changed)
        - at SessionStart, UserPromptSubmit,
            UserPromptExpansion, PreToolUse, PostToolUse,
            PostToolUseFailure, PostToolBatch, SubagentStop,
            PreCompact, PostCompact, Stop, SessionEnd
          run: run old/carryon-hook.cjs
        + at SessionStart, UserPromptSubmit,
            UserPromptExpansion, PreToolUse, PostToolUse,
            PostToolUseFailure, PostToolBatch, SubagentStop,
            PreCompact, PostCompact, Stop, SessionEnd
          run: run new/carryon-hook.cjs
      Add --dry-run to see every line.
      "
    `);
  });
});
