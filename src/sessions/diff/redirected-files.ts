/** What makes it uncertain which file is meant: substitutions, here-documents, other folders, conditions, patterns. */
const uncertain = /[`$\\(){}[\]*?~#]|<<|\b(?:cd|pushd|popd|eval|source|exec|env|sudo|ssh|docker|xargs)\b/;
const quoted = /'[^'\n]*'|"[^"\n]*"/g;
const redirection = /(?:^|[\s;&|\d])(?:>>?\|?|&>>?)\s*([A-Za-z0-9._/-]+)(?=$|[\s;&|])/g;

/** A longer command is a program of its own. */
const longest = 4000;

/** Returns the files that a shell command certainly writes to by redirection; none where there is any doubt. */
export function redirectedFiles(command: string): readonly string[] {
  if (command.length > longest || !command.includes(">")) return [];
  const plain = command.replace(quoted, "q");
  if (uncertain.test(plain) || /['"]/.test(plain)) return [];
  // Inside double quotes a substitution would still be run, but it cannot redirect the command around it.
  const found = [...plain.matchAll(redirection)].map(([, path = ""]) => path);
  return [...new Set(found)].filter((path) => !path.startsWith("/dev/") && !/^\d+$/.test(path));
}
