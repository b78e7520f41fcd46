import { relative } from "node:path";
import { Option } from "@commander-js/extra-typings";
import { listTranscripts } from "../../clients/claude-code/locate.ts";
import { readGitFacts } from "../../git/git-facts.ts";
import { commitDocuments, hideDocuments, readDocumentsChoice } from "../../handover/documents-in-commits.ts";
import { applyChange, type FileChange } from "../../install/file-change.ts";
import { type InstallSite, identifyHere, locateInstall } from "../../install/locate-settings.ts";
import { type InstallPlan, planForPlugin, planInit } from "../../install/plan-install.ts";
import { locateServers, renderAddServer } from "../../install/server-entry.ts";
import { readVersion } from "../../lib/version.ts";
import { openInbox } from "../../storage/open-inbox.ts";
import { locateHandoverHere } from "../../workspace/choose-handover-place.ts";
import { using } from "../../workspace/open-here.ts";
import { findTrusted, trustHere } from "../../workspace/trust-here.ts";
import type { CommandContext } from "../command-context.ts";
import { askConsent } from "../consent.ts";
import { clientChoice, defineCommand, scopeOption, yesOption } from "../define-command.ts";
import { renderChanges, renderPreview } from "../init/render-preview.ts";
import { say } from "../phrases.ts";
import { requirePerson } from "../require-person.ts";
import { offerKeptRuns } from "../run/offer-kept-runs.ts";
import { runSync, tellOfServer } from "../sync/run-sync.ts";

interface DocumentsWish {
  /** What was asked for; undefined where nobody said. */
  readonly documents: "private" | "committed" | undefined;
  readonly yes: boolean;
}

/** Settles whether the documents of the handover are committed with a repository: as wished, as it is, or as answered. */
async function settleDocuments(
  context: CommandContext,
  { scope, root, isRepository }: InstallSite,
  { documents, yes }: DocumentsWish,
): Promise<void> {
  const git = scope === "project" && isRepository ? await readGitFacts(root) : undefined;
  if (git === undefined) return;
  const place = await locateHandoverHere(context);
  const now = await readDocumentsChoice(place);
  const folder = `${place.sddDir}/handover`;
  const ask = async () =>
    (await context.confirm(say(context, "init.documents", { folder }))) ? "committed" : "private";
  const wanted = documents ?? (now !== "undecided" ? now : yes ? "private" : await ask());
  // Documents that are yet to be made are kept out when they are.
  if (wanted === now || (wanted === "private" && now === "undecided")) return;
  if (wanted === "committed") return commitDocuments(git, place);
  if (await hideDocuments(git, place))
    context.warn(`Git tracks what is in ${folder}; \`git rm --cached\` takes it out of the next commit.`);
}

interface Extras {
  readonly changes: readonly FileChange[];
  readonly trusts: boolean;
  readonly documents: "private" | "committed" | undefined;
}

const documentsWill = {
  private: "The handover documents will be kept out of commits.",
  committed: "The handover documents will be committed with the project.",
} as const;

/** Describes what an installation comes to beyond the files that it changes, a line each. */
function describeExtras(site: InstallSite, { changes, trusts, documents }: Extras): string {
  const lists = changes.some(({ path }) => path === locateServers(site.root));
  const lines = [
    ...(lists ? ["Claude Code will ask you once whether it may start the server of .mcp.json."] : []),
    // The plugin, which changes nothing but our own files, brings the server.
    ...(site.scope === "user" && changes.some(({ path }) => relative(site.home, path).startsWith(".."))
      ? [`The MCP server is for you to add: ${renderAddServer(site)}`]
      : []),
    ...(documents === undefined ? [] : [documentsWill[documents]]),
    ...(trusts ? ["This project will be trusted: its gates and documents count."] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Takes in what the client has kept so far, if there is something and it is wanted: it deletes what is older than 30 days. */
async function offerImport(
  context: CommandContext,
  { scope, root, client }: InstallSite,
  { yes }: { readonly yes: boolean },
): Promise<void> {
  if (scope === "project") await offerKeptRuns(context, root, { yes });
  // A project that has moved since has its history elsewhere; to look whose all of it is would take too long to ask.
  const kept = await listTranscripts(client, scope === "project" && !yes ? root : undefined);
  if (kept.length === 0) return;
  const question = say(context, `init.import.${scope}`);
  if (!(yes || (await context.confirm(question)))) return;
  await runSync(context, scope === "project" ? { project: root } : {});
}

/** What is said where the client can be expected to run the hooks. */
const promise = {
  project: "Carryon records what Claude Code does here from its next start on.\n",
  user: "Carryon records what Claude Code does in all projects from its next start on.\n",
} as const;

export const command = defineCommand({
  details:
    "Adds hooks to the settings of Claude Code, so that each prompt and each tool call is recorded when it happens, the commands " +
    "/session:save, load, status and new, the skills /sdd-handover, /arch-review and /plan-review, and in a project the MCP server of .mcp.json. " +
    "Shows what it will write and where, and asks first; a script has to say --yes. What else is in the settings stays as it is, " +
    "files of others are never overwritten, and `carryon uninit` takes everything back.",
  examples: [
    { line: "carryon init", does: "Record the sessions in this project, after asking" },
    { line: "carryon init --scope user", does: "Record the sessions in all projects" },
    { line: "carryon init --dry-run", does: "See every line that would be written" },
    { line: "carryon init --plugin", does: "Trust this project, where the plugin brings the rest" },
  ],
  define: (command) =>
    command
      .addOption(clientChoice())
      .addOption(scopeOption())
      .option("--plugin", "Only what the plugin of Claude Code needs: the programs that it runs")
      .addOption(
        new Option(
          "--documents <where>",
          "Keep the handover documents out of commits, or let them be committed",
        ).choices(["private", "committed"] as const),
      )
      .option("--dry-run", "Show every line that would be written, and write nothing")
      .addOption(new Option("--no-import", "Leave the history that the client has kept where it is"))
      .addOption(yesOption()),
  run: async (context, _args, { scope, plugin, documents, dryRun, import: wantsImport, yes = false }) => {
    const site = await locateInstall(context, scope);
    const trusts = scope === "project" && (await findTrusted(context)) === undefined;
    const [version, identities] = await Promise.all([readVersion(), identifyHere(context)]);
    const [node, launcher] = context.program;
    const launch = { node, launcher, version };
    const wish = { launch, identities, trusts, now: context.clock.now() };
    const plan = await (plugin ? planForPlugin(site, launch) : planInit(site, wish));
    const { changes, doubts } = plan;
    if (changes.length === 0 && !trusts && documents === undefined)
      return context.err("Carryon is set up here already.\n");
    context.out(dryRun ? renderChanges(changes, context) : renderPreview(changes, site.home, context));
    context.out(describeExtras(site, { changes, trusts, documents }));
    await warn(context, plan);
    if (dryRun) return context.err("Nothing was written.\n");
    await requireForTrust(context, { trusts });
    const consents = await askConsent(context, {
      yes,
      question: say(context, "init.write"),
      otherwise: "Nothing was written.",
    });
    if (!consents) return;
    // Hooks put nothing into a store that is not there.
    await using(await openInbox(site.home), () => Promise.resolve());
    for (const change of changes) await applyChange(change);
    if (trusts) await trustHere(context);
    await settleDocuments(context, site, { documents, yes });
    if (doubts.length === 0) context.err(promise[scope]);
    if (wantsImport) await offerImport(context, site, { yes });
  },
});

async function requireForTrust(
  context: CommandContext,
  { trusts }: { readonly trusts: boolean },
): Promise<void> {
  if (trusts) await requirePerson(context, "Only a person says that a project is trusted");
}

async function warn(context: CommandContext, { warnings, doubts }: InstallPlan): Promise<void> {
  for (const warning of [...warnings, ...doubts]) context.warn(warning);
  await tellOfServer(context);
}
