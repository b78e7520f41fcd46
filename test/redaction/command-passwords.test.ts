import { createSecretKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeRedactor } from "../../src/redaction/redactor.ts";
import { expectHidden, unmark, withoutKinds } from "./marked-texts.ts";

const { redactText } = makeRedactor(createSecretKey(Buffer.alloc(32, 7)));

describe("passwords among the arguments of a command", () => {
  it.each([
    "mysql -p«Secret»",
    "mysql -u root -p«Secret» main",
    "mysql -uroot -p'«Sec ret»' main",
    "mysqldump -h db -p«sunshine» main > dump.sql",
    "docker exec db mysql -u root -p«sunshine» main",
    "/usr/bin/mysqladmin -p«sunshine» status",
    "mysql \\\n  -u root \\\n  -p«sunshine» main",
    "docker login -u me -p «sunshine» registry.example.com",
    "docker login -p «sunshine»",
    'docker login --username me -p "«sun shine»"',
    "helm registry login -u me -p «sunshine» host",
    "redis-cli -a «sunshine»",
    "redis-cli -h cache -a «sunshine» ping | cat",
    "redis-cli --pass «sunshine» ping",
    "sshpass -p «sunshine» ssh host",
    "sshpass -p'«sunshine»' ssh host",
    "mongosh -u me -p «sunshine» --host db",
    "sqlcmd -S db -U sa -P «sunshine»",
    "ldapsearch -D cn=me -w «sunshine» -b dc=x",
    "curl -u user:«sunshine» https://example.com",
    "curl -uuser:«sunshine» https://example.com",
    'curl -s -u "user:«sun shine»" https://example.com',
    "curl --user=user:«sunshine» https://example.com",
    "curl --proxy-user user:«sunshine» -x proxy https://example.com",
    "openssl rsa -in key.pem -passin pass:«sunshine» -out x",
    "requirepass «sunshine»",
    `{"command":"mysql -u root -p«sunshine» main","timeout":1}`,
    String.raw`{"command":"curl -u \"user:«sun shine»\" https://example.com"}`,
    `CMD ["mysql", "-p«sunshine»"]`,
    `["mysql","--password","«sunshine»"]`,
    `["docker","login","-u","me","-p","«sunshine»","registry"]`,
    String.raw`"[\"redis-cli\",\"-a\",\"«sunshine»\"]"`,
    `subprocess.run(["curl", "-u", "user:«sunshine»", url])`,
    `[\n  "mysql",\n  "--password",\n  "«sunshine»"\n]`,
  ])("are replaced: %s", (marked) => {
    expect(withoutKinds(redactText(unmark(marked)))).toBe(expectHidden(marked));
  });

  it.each([
    "mysql -p main",
    "mysql -u root -p; docker login -u me",
    "docker run -p 8080:80 image login",
    "docker login -p $(cat token)",
    `docker login -p \${TOKEN} && docker run -p sunshine`,
    'redis-cli -a "$PASSWORD"',
    "redis-cli -h cache -n 3 sunshine",
    "curl -u user https://example.com:8080",
    "curl -u user:$TOKEN https://example.com",
    "curl -u user: https://example.com",
    "mysql is a database -psunshine".replace("mysql", "mysqlx"),
    "Install mysql, docker and redis-cli.\nlogin -p sunshine",
    `["mysql","-p","main"]`,
    "sshpass -f file ssh host",
  ])("leave others as they are: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });
});
