import { toRules } from "../rule.ts";

/** How package managers say that something could not be had. */
export const dependencyRules = toRules(
  { goal: "install", certainty: "summary" },
  {
    npm: {
      pattern:
        /^npm (?:ERR!|error) code (?:ERESOLVE|E40[0-9]|E5\d\d|ETARGET|ENOVERSIONS|EINTEGRITY|ENOTFOUND|ECONN\w+|ETIMEDOUT|EAI_AGAIN|EBADENGINE|EBADPLATFORM|ERR_SOCKET_TIMEOUT|CERT_\w+|SELF_SIGNED\w+)|^npm (?:ERR!|error) `npm ci` can only install packages when/,
      detail:
        /^npm (?:ERR!|error) (?:404 Not Found|notarget No matching|ERESOLVE |Could not resolve |`npm ci` can only|request to |Missing: )/,
      partPassed: /^(?:added|removed|changed) \d+ packages?\b|^up to date\b/,
      kinds: ["install", "build", "test", "script"],
    },
    "npm install script": {
      pattern: /^npm (?:ERR!|error) (?:command failed$|gyp ERR! )/,
      detail: /^npm (?:ERR!|error) (?:gyp ERR! stack|path) /,
      kinds: ["install"],
    },
    pnpm: {
      pattern:
        /^ {0,2}ERR_PNPM_(?:FETCH|NO_MATCHING|NO_VERSIONS|PEER|OUTDATED|LOCKFILE|META|TARBALL|REGISTRIES|WORKSPACE_PKG)\w* /,
      partPassed: /^Done in [\d.]+m?s\b|^Already up to date$/,
    },
    yarn: {
      pattern:
        /^error (?:Couldn't find (?:package|any versions for)|An unexpected error occurred: "https?:)|^➤ YN00(?:35|27|28|82): /,
      partPassed:
        /^(?:✨ {1,2})?Done in [\d.]+s\.$|^success Already up-to-date\.$|^➤ YN0000: (?:· )?Done in /,
    },
    pip: {
      pattern:
        /^ERROR: (?:No matching distribution found for |Could not find a version that satisfies|ResolutionImpossible|Cannot install |Could not open requirements file|Invalid requirement|Could not install packages|Failed building wheel|Failed to build )|^error: (?:subprocess-exited-with-error|externally-managed-environment|metadata-generation-failed)/,
      partPassed: /^Successfully installed \S|^Requirement already satisfied: \S/,
      kinds: ["install", "build", "test", "script"],
    },
    "uv or poetry": {
      pattern:
        /^ {0,4}[×x] No solution found when resolving|^Because .{1,300}, version solving failed\.$|^So, because .{1,300}, version solving failed\.$/,
    },
    cargo: {
      pattern:
        /^error: (?:failed to select a version for|no matching package named|failed to get `|failed to load source for dependency|the lock file \S{1,300} needs to be updated|no matching package found)/,
    },
    "Go modules": {
      pattern:
        /^(?:\S{1,300}\.go:\d+:\d+: |go: |\t)?(?:no required module provides package |cannot find module providing package |missing go\.sum entry for |module lookup disabled|updates to go\.mod needed|\S{1,300}@\S{1,100}: (?:invalid version|reading |Get "|missing go\.sum entry|unrecognized import path|module lookup disabled))|^\S{1,300}\.go:\d+:\d+: (?:package \S{1,300} is not in (?:GOROOT|std)|cannot find package)/,
      resolution: "Run `go mod tidy`, check the import path, and that the module proxy can be reached.",
    },
    "Maven dependencies": {
      pattern:
        /^\[ERROR\] .{0,400}(?:Could not resolve dependencies for project|Could not find artifact |Non-resolvable (?:parent|import) POM|Plugin \S{1,300} or one of its dependencies could not be resolved|Failed to read artifact descriptor)/,
      passed: /^\[INFO\] BUILD SUCCESS$/,
    },
    "Gradle dependencies": {
      pattern:
        /^(?:> )?Could not resolve all (?:files|artifacts|dependencies|task dependencies) for configuration|^Plugin \[id: .{1,200}\] was not found/,
      detail: /^ {0,8}> (?:Could not find |Could not resolve (?!all)|No cached version)/,
      passed: /^BUILD SUCCESSFUL in /,
    },
    vcpkg: {
      pattern:
        /^error: building \S{1,200} failed with: |^error: .{0,300}vcpkg\.json|^\S{0,300}: error: .{0,200} does not exist in the version database|^-- Running vcpkg install - failed/,
    },
    "system packages": {
      pattern:
        /^E: (?:Unable to locate package |Package '\S{1,200}' has no installation candidate|Unable to correct problems, |Failed to fetch )|^Error: No available formula |^ERROR: unable to select packages:/,
      kinds: ["install"],
    },
    "Ruby gems": {
      pattern:
        /^ERROR: {2}(?:Could not find a valid gem|Error installing )|^Could not find gem '|^Bundler could not find compatible versions|^Could not find \S{1,200} in (?:any of the sources|locally installed gems|cached gems)/,
    },
    Composer: {
      pattern:
        /^ {0,2}(?:Your requirements could not be resolved to an installable set of packages\.|Could not find (?:a matching version of )?package )/,
    },
  },
);
