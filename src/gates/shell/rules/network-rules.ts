import { isDevice, isOutput, joinWords, mayBeOption } from "../argument.ts";
import { byOptions } from "../by-options.ts";
import { quote, unknown, worst, writes } from "../classification.ts";
import { looks } from "../looking.ts";
import { findOption, findOptions, parseOptions } from "../options.ts";
import { listed, plainly, type Rule, type Rules } from "../rule.ts";

const loading = byOptions({
  otherwise: "reads",
  printsToDash: true,
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
  const isHidden = texts.some(
    (text, at) => /^(?:-\w*w|--write-out)$/.test(texts[at - 1] ?? "") && text.startsWith("@"),
  );
  return isHidden ? worst(found, unknown("What `curl -w` follows is not seen here.")) : found;
};

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
    // Its log is a file then.
    "-b",
    "--background",
  ]).find(({ value }) => !isOutput(value));
  if (log !== undefined) return writes(`${quote(`wget ${log.name}`)} writes a file.`);
  const targets = findOptions(parsed, ["-O", "--output-document"]);
  const isPrinted = targets.length > 0 && targets.every(({ value }) => isOutput(value));
  if (parsed.isLoose) return plainly("unknown", name);
  return isPrinted || (targets.length === 0 && looks(parsed, ["--spider"]))
    ? plainly("reads", name)
    : writes("`wget` writes what it loads.");
};

const ssh: Rule = (call) => {
  const parsed = parseOptions(call.args, { short: "BbcDEeFIiJLlmOopQRSWw", endsAtOperand: true });
  const log = findOption(parsed, ["-E"]);
  if (log !== undefined && !isDevice(log.value)) return writes("`ssh -E` writes a file.");
  if (looks(parsed, ["-V", "-Q", "-G"])) return plainly("reads", call.name);
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
  http: byOptions({ otherwise: "reads", short: "opsavA", writes: ["-o", "--output", "-d", "--download"] }),
  "ssh-add": byOptions({ otherwise: "reads" }),
  "ssh-keyscan": byOptions({ otherwise: "reads" }),
  "ssh-keygen": byOptions({ otherwise: "writes", short: "fFEtb", reads: ["-l", "-F", "-y", "-B"] }),
  openssl: ({ name, args }) =>
    args.some(({ text }) =>
      /^-(?:out|keyout|writerand|CAserial|CAcreateserial|sess_out|keylogfile|msgfile)$/.test(text),
    )
      ? writes("`openssl -out` writes a file.")
      : plainly(
          /^(?:version|dgst|x509|s_client|list|ciphers|verify|asn1parse|md5|sha256)$/.test(
            args[0]?.text ?? "",
          ) && !args.some(mayBeOption)
            ? "reads"
            : "unknown",
          name,
        ),
};
