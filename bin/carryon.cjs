#!/usr/bin/env node
"use strict";
// Plain JavaScript that any Node can read: it starts Carryon on a Node that is fit for it,
// this one or the one of the `runtime` workspace, or says in one sentence what is needed.

var fs = require("fs");
var path = require("path");

var root = path.dirname(__dirname);

/** Tells whether a version of Node bundles an SQLite that is free of the WAL-reset bug (3.51.3 or newer). */
function isFit(version) {
  var parts = version.split(".").map(Number);
  var oldest = { 22: [22, 3], 24: [15, 0], 25: [9, 0] }[parts[0]];
  if (oldest === undefined) return parts[0] > 25;
  return parts[1] > oldest[0] || (parts[1] === oldest[0] && parts[2] >= oldest[1]);
}

/** Returns the path of the workspace's Node for this machine, or undefined where it is not installed. */
function locateRuntime() {
  var platform = process.platform === "win32" ? "win" : process.platform;
  var name =
    (platform === "darwin" && process.arch === "arm64" ? "node-bin-" : "node-") +
    platform +
    "-" +
    process.arch;
  var binary = path.join(root, "node_modules", name, "bin", platform === "win" ? "node.exe" : "node");
  return fs.existsSync(binary) ? binary : undefined;
}

/** Says to the launcher on the other Node that a launcher started it. */
var launchedBy = "CARRYON_LAUNCHER";

/** Runs this launcher again on another Node, with the same streams, signals and exit code. */
function runOn(binary) {
  var env = Object.assign({}, process.env);
  env[launchedBy] = String(process.pid);
  var child = require("child_process").spawn(binary, [__filename].concat(process.argv.slice(2)), {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: env,
  });
  ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"].forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal);
    });
  });
  child.on("error", function (error) {
    process.stderr.write("carryon: " + binary + " could not be started: " + error.message + "\n");
    process.exitCode = 3;
  });
  child.on("exit", function (code, signal) {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Ends this process when the launcher that started it is killed: who kills the one they see means the writer. */
function endWithLauncher() {
  if (process.env[launchedBy] !== String(process.ppid) || process.channel === undefined) return;
  delete process.env[launchedBy];
  process.on("disconnect", function () {
    process.kill(process.pid, "SIGKILL");
  });
  process.channel.unref();
}

/** Lets Node keep what it compiled in the home folder, where there is one: it halves the time that a command takes. */
function cacheCompiledCode() {
  var home = process.env.CARRYON_HOME || path.join(require("os").homedir(), ".carryon");
  var cache = path.join(home, "cache");
  if (path.isAbsolute(home) && makeFolder(cache)) require("module").enableCompileCache(cache);
}

/** Makes a folder in one that is there, and tells whether it is there now. Node itself would try for ever in /proc. */
function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    return error.code === "EEXIST";
  }
}

/** Finds our modules by their addresses alone. Node asks the disk about each import, which takes longer than to read it. */
function resolveOwnModules(folder, extension) {
  var own = require("url").pathToFileURL(folder).href + "/";
  var format = extension === ".ts" ? "module-typescript" : "module";
  require("module").registerHooks({
    resolve: function (specifier, context, next) {
      var isOwn = specifier[0] === "." && specifier.endsWith(extension) && context.parentURL.startsWith(own);
      if (!isOwn) return next(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format: format, shortCircuit: true };
    },
  });
}

/** Loads the program itself: its source in a checkout, the built files in an installed package. */
function start() {
  var emitWarning = process.emitWarning;
  process.emitWarning = function (...given) {
    var type = given[1] && typeof given[1] === "object" ? given[1].type : given[1];
    if (type !== "ExperimentalWarning") emitWarning.apply(process, given);
  };
  // Nothing that Carryon makes is for others to read; what it starts has the user's mask: src/lib/user-umask.ts.
  process[Symbol.for("carryon.umask")] = process.umask(0o077);
  endWithLauncher();
  cacheCompiledCode();
  var isCheckout = fs.existsSync(path.join(root, "src", "cli", "main.ts"));
  var folder = path.join(root, isCheckout ? "src" : "dist");
  var extension = isCheckout ? ".ts" : ".js";
  resolveOwnModules(folder, extension);
  var entry = path.join(folder, "cli", "main" + extension);
  import(require("url").pathToFileURL(entry).href).catch(function (error) {
    var lacksFiles = error.code === "EMFILE" || error.code === "ENFILE";
    var reason = lacksFiles
      ? "Too many files are open; raise the limit (`ulimit -n`)."
      : error.stack || error;
    process.stderr.write("carryon: " + reason + "\n");
    process.exitCode = lacksFiles ? 74 : 1;
  });
}

var runtime = isFit(process.versions.node) ? undefined : locateRuntime();
if (isFit(process.versions.node)) start();
else if (runtime !== undefined) runOn(runtime);
else {
  process.stderr.write(
    "carryon: Node " +
      process.versions.node +
      " is too old; install Node 22.22.3, 24.15, 25.9 or newer and run the command again.\n",
  );
  process.exitCode = 3;
}
