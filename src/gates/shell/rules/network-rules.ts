import { isDevice, isOutput, joinWords, mayBeOption } from "../argument.ts";
import { type Classification, nothing, quote, unknown, worst, writes } from "../classification.ts";
import {
  findOption,
  findOptions,
  isOption,
  looks,
  looksAhead,
  type ParsedOptions,
  parseOptions,
} from "../options.ts";
import { judgeCall, type Program, type Programs, plainly, type Rule, shapeOf } from "../program.ts";

const loading: Program = {
  does: "reads",
  options: `-ACEFHPQTUXYbdemrtuwxyz= -Dco=! -K=? -O! --output=! --header= --data= --data-raw=
      --data-binary= --data-urlencode= --json= --request= --user= --url= --write-out= --max-time=
      --connect-timeout= --retry= --form= --user-agent= --cookie= --cookie-jar=! --dump-header=!
      --trace=! --trace-ascii=! --stderr=! --libcurl=! --etag-save=! --etag-compare= --output-dir=
      --proxy= --cacert= --cert= --key= --resolve= --upload-file= --referer= --range= --config=?
      --hsts=! --alt-svc=! --engine=? --remote-name! --remote-name-all! --ssl-sessions!`,
  printsToDash: true,
  // Text for the end of the transfer may name a file; an option to expand takes its value out of variables.
  words: [
    [/%output\{/, "writes"],
    [/^--expand-/, "unknown"],
  ],
};

const curl: Rule = (call) => {
  const parsed = parseOptions(call.args, shapeOf(loading));
  const isHidden = findOptions(parsed, "-w --write-out").some(({ value }) => value?.text.startsWith("@"));
  const hidden = isHidden ? unknown("What `curl` follows is not seen here.") : nothing;
  return worst(judgeCall(loading, call), hidden, judgeUpload(parsed));
};

/** An address may be a file of this machine, also one that is put together from braces. */
function judgeUpload(parsed: ParsedOptions): Classification {
  if (findOption(parsed, "-T --upload-file") === undefined) return nothing;
  const urls = [...parsed.operands, ...findOptions(parsed, "--url").flatMap(({ value }) => value ?? [])];
  if (urls.some(({ text }) => /^file:/i.test(text))) return writes("`curl -T` writes a file.");
  return urls.every(({ text }) => /^(?:https?|s?ftps?|scp):\/\/[^{}[\]]*$/i.test(text))
    ? nothing
    : unknown("Where `curl -T` writes to is decided only when it runs.");
}

const wgetValues = `-OoaPUtTwQlARDIXBie --output-document --output-file --append-output --directory-prefix --header
  --user-agent --timeout --tries --post-data --execute --rejected-log --save-cookies --load-cookies --warc-file
  --warc-header --referer --user --password --method --body-data --body-file --post-file --input-file --base`;
/** In the background it writes a log. */
const wgetLogs = `-o --output-file -a --append-output --save-cookies --warc-file --rejected-log --hsts-file
  -b --background`;

const wget: Rule = ({ name, args }) => {
  const parsed = parseOptions(args, { values: wgetValues });
  const running = findOption(parsed, "-e --execute --config --use-askpass");
  if (running !== undefined)
    return unknown(`${quote(`wget ${running.name}`)} follows something that is not seen here.`);
  const log = findOptions(parsed, wgetLogs).find(({ value }) => !isOutput(value));
  if (log !== undefined) return writes(`${quote(`wget ${log.name}`)} writes a file.`);
  if (parsed.isLoose) return plainly("unknown", name);
  const targets = findOptions(parsed, "-O --output-document");
  if (targets.length > 0)
    return plainly(
      targets.every((each) => isOutput(each.value) && isOption(each)) ? "reads" : "writes",
      name,
    );
  // Folders are made for pages that are only looked at, too.
  const isDeep = findOption(parsed, "-r --recursive -m --mirror -p --page-requisites") !== undefined;
  return plainly(!isDeep && looks(parsed, "--spider") ? "reads" : "writes", name);
};

const ssh: Rule = (call) => {
  const parsed = parseOptions(call.args, { values: "-BbcDEeFIiJLlmOopQRSWw", endsAtOperand: true });
  const log = findOption(parsed, "-E");
  if (log !== undefined && !isDevice(log.value)) return writes("`ssh -E` writes a file.");
  // A file of settings may ask programs.
  if (looksAhead(parsed, "-V -Q -G") && findOption(parsed, "-F") === undefined)
    return plainly("reads", call.name);
  const remote = parsed.operands.slice(1);
  return worst(
    remote.length === 0 ? plainly("unknown", call.name) : call.script(joinWords(remote)),
    unknown("`ssh` runs on another machine."),
  );
};

const opensslOutput = /^--?(?:out|keyout|writerand|CAserial|CAcreateserial|sess_out|keylogfile|msgfile)$/;
const opensslReads = /^(?:version|dgst|x509|s_client|list|ciphers|verify|asn1parse|md5|sha256)$/;
const opensslLoads = /^--?(?:engine|provider.*|config|ssl_client_engine)$/;

const openssl: Rule = ({ name, args }) => {
  if (args.some(({ text }) => opensslOutput.test(text))) return writes("`openssl -out` writes a file.");
  const isOpen = args.some((word) => mayBeOption(word) || opensslLoads.test(word.text));
  return plainly(opensslReads.test(args[0]?.text ?? "") && !isOpen ? "reads" : "unknown", name);
};

/** Programs that talk to other machines. */
export const networkRules: Programs = {
  curl,
  wget,
  ssh,
  openssl,
  "aria2c axel yt-dlp": "writes",
  "ssh-keyscan": "reads",
  tcpdump: "reads -BcCEFGijmMrsTVWyZ= -w=! -z=?",
  http: "reads -o=! -psavA= -d! --output! --download! --session!",
  "ssh-add": "unknown -EHhtTd= -Ss=? -lL.",
  "ssh-keygen": "writes -fEtb= -F=. -R=! -Dw=? -HAKp! -lyB.",
};
