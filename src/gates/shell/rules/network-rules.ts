import { isDevice, isOutput, joinWords, mayBeOption } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { type Classification, nothing, quote, unknown, worst, writes } from "../classification.ts";
import { isOption, looks, looksAhead } from "../looking.ts";
import { findOption, findOptions, type ParsedOptions, parseOptions } from "../options.ts";
import { listed, plainly, type Rule, type Rules } from "../rule.ts";

const curlShape = {
  short: "ACDEFHKPQTUXYbcdemortuwxyz",
  long: [
    "--output",
    "--header",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "--json",
    "--request",
    "--user",
    "--url",
    "--write-out",
    "--max-time",
    "--connect-timeout",
    "--retry",
    "--form",
    "--user-agent",
    "--cookie",
    "--cookie-jar",
    "--dump-header",
    "--trace",
    "--trace-ascii",
    "--stderr",
    "--libcurl",
    "--etag-save",
    "--etag-compare",
    "--output-dir",
    "--proxy",
    "--cacert",
    "--cert",
    "--key",
    "--resolve",
    "--upload-file",
    "--referer",
    "--range",
    "--config",
    "--hsts",
    "--alt-svc",
    "--engine",
  ],
};

const loading = byOptions({
  ...curlShape,
  otherwise: "reads",
  printsToDash: true,
  writes: [
    "-o",
    "--output",
    "-O",
    "--remote-name",
    "--remote-name-all",
    "-c",
    "--cookie-jar",
    "-D",
    "--dump-header",
    "--trace",
    "--trace-ascii",
    "--stderr",
    "--libcurl",
    "--etag-save",
    "--ssl-sessions",
    "--hsts",
    "--alt-svc",
  ],
  runs: ["-K", "--config", "--engine"],
});

/** What is printed at the end may be told to go to a file, or stand in one that is not seen here. */
const curl: Rule = (call) => {
  const found = loading(call);
  const texts = call.args.map(({ text }) => text);
  if (texts.some((text) => text.includes("%output{"))) return writes("`curl -w` writes a file.");
  const parsed = parseOptions(call.args, curlShape);
  const isHidden = findOptions(parsed, ["-w", "--write-out"]).some(({ value }) =>
    value?.text.startsWith("@"),
  );
  // Such an option takes its value out of variables.
  const isComputed = texts.some((text) => text.startsWith("--expand-"));
  return worst(
    found,
    isHidden || isComputed ? unknown("What `curl` follows is not seen here.") : nothing,
    judgeUpload(parsed),
  );
};

/** An address may be a file of this machine, also one that is put together from braces. */
function judgeUpload(parsed: ParsedOptions): Classification {
  const given = findOptions(parsed, ["-T", "--upload-file"]);
  if (given.length === 0) return nothing;
  const urls = [...parsed.operands, ...findOptions(parsed, ["--url"]).flatMap(({ value }) => value ?? [])];
  if (urls.some(({ text }) => /^file:/i.test(text))) return writes("`curl -T` writes a file.");
  return urls.every(({ text }) => /^(?:https?|s?ftps?|scp):\/\/[^{}[\]]*$/i.test(text))
    ? nothing
    : unknown("Where `curl -T` writes to is decided only when it runs.");
}

const wget: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, {
    short: "OoaPUtTwQlARDIXBie",
    long: [
      "--output-document",
      "--output-file",
      "--append-output",
      "--directory-prefix",
      "--header",
      "--user-agent",
      "--timeout",
      "--tries",
      "--post-data",
      "--execute",
      "--rejected-log",
      "--save-cookies",
      "--load-cookies",
      "--warc-file",
      "--warc-header",
      "--referer",
      "--user",
      "--password",
      "--method",
      "--body-data",
      "--body-file",
      "--post-file",
      "--input-file",
      "--base",
    ],
  });
  const running = findOption(parsed, ["-e", "--execute", "--config", "--use-askpass"]);
  if (running !== undefined)
    return unknown(`${quote(`wget ${running.name}`)} follows something that is not seen here.`);
  const log = findOptions(parsed, [
    "-o",
    "--output-file",
    "-a",
    "--append-output",
    "--save-cookies",
    "--warc-file",
    "--rejected-log",
    "--hsts-file",
    // Its log is a file then.
    "-b",
    "--background",
  ]).find(({ value }) => !isOutput(value));
  if (log !== undefined) return writes(`${quote(`wget ${log.name}`)} writes a file.`);
  const targets = findOptions(parsed, ["-O", "--output-document"]);
  const isPrinted =
    targets.length > 0 && targets.every((target) => isOutput(target.value) && isOption(target));
  if (parsed.isLoose) return plainly("unknown", name);
  // Folders are made for what is only looked at, too.
  const isDeep =
    findOption(parsed, ["-r", "--recursive", "-m", "--mirror", "-p", "--page-requisites"]) !== undefined;
  return isPrinted || (targets.length === 0 && !isDeep && looks(parsed, ["--spider"]))
    ? plainly("reads", name)
    : writes("`wget` writes what it loads.");
};

const ssh: Rule = (call) => {
  const parsed = parseOptions(call.args, { short: "BbcDEeFIiJLlmOopQRSWw", endsAtOperand: true });
  const log = findOption(parsed, ["-E"]);
  if (log !== undefined && !isDevice(log.value)) return writes("`ssh -E` writes a file.");
  // A file of settings may ask programs.
  if (looksAhead(parsed, ["-V", "-Q", "-G"]) && findOption(parsed, ["-F"]) === undefined)
    return plainly("reads", call.name);
  const remote = parsed.operands.slice(1);
  return worst(
    remote.length === 0 ? plainly("unknown", call.name) : call.script(joinWords(remote)),
    unknown("`ssh` runs on another machine."),
  );
};

/** Programs that talk to other machines. */
export const networkRules: Rules = {
  curl,
  wget,
  ssh,
  ...listed("unknown", "nc ncat netcat socat telnet ftp lftp mosh"),
  ...listed("writes", "aria2c axel yt-dlp"),
  tcpdump: byOptions({ otherwise: "reads", short: "BcCEFGijmMrsTVwWyzZ", writes: ["-w"], runs: ["-z"] }),
  http: byOptions({
    otherwise: "reads",
    short: "opsavA",
    writes: ["-o", "--output", "-d", "--download", "--session"],
  }),
  "ssh-add": byOptions({ otherwise: "unknown", short: "EHhStTds", runs: ["-s", "-S"], reads: ["-l", "-L"] }),
  "ssh-keyscan": byOptions({ otherwise: "reads" }),
  "ssh-keygen": byOptions({
    otherwise: "writes",
    short: "fFEtbRDw",
    writes: ["-R", "-H", "-A", "-K", "-p"],
    runs: ["-D", "-w"],
    reads: ["-l", "-F", "-y", "-B"],
  }),
  openssl: ({ name, args }) =>
    args.some(({ text }) =>
      /^--?(?:out|keyout|writerand|CAserial|CAcreateserial|sess_out|keylogfile|msgfile)$/.test(text),
    )
      ? writes("`openssl -out` writes a file.")
      : plainly(
          /^(?:version|dgst|x509|s_client|list|ciphers|verify|asn1parse|md5|sha256)$/.test(
            args[0]?.text ?? "",
          ) &&
            !args.some(
              (word) =>
                mayBeOption(word) || /^--?(?:engine|provider.*|config|ssl_client_engine)$/.test(word.text),
            )
            ? "reads"
            : "unknown",
          name,
        ),
};
