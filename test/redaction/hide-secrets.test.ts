import { expect, it } from "vitest";
import { hideSecrets, listSecrets } from "../../src/redaction/hide-secrets.ts";

const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

it("takes secrets out of a message and leaves the rest", () => {
  expect(hideSecrets(`There is no session ${token} here.`)).toBe(
    "There is no session [redacted:github-token] here.",
  );
  expect(hideSecrets("There is no session x here.")).toBe("There is no session x here.");
});

it("takes the beginning of a known secret out, wherever a message cut it", () => {
  const known = listSecrets(["show", `./${token}`, "--json"]);
  expect(known).toEqual([token]);
  expect(hideSecrets(`Not "${token.slice(0, 12)}…" and not "${token.slice(0, 8)}".`, known)).toBe(
    'Not "[redacted]…" and not "[redacted]".',
  );
  expect(hideSecrets(`ghp_ or ${token}!`, known)).toBe("ghp_ or [redacted:github-token]!");
});
