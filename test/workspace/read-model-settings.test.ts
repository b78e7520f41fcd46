import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { settingReaders } from "../../src/care/setting-readers.ts";
import { providers } from "../../src/model/parse-model-name.ts";
import { parseConfig } from "../../src/workspace/parse-config.ts";
import { readModelSettings } from "../../src/workspace/read-model-settings.ts";
import { tempDir } from "../support/temp-dir.ts";

const config = `models:
  default: openai/qwen3
  instructor: claude-opus-5-5
  worker: anthropic/claude-haiku-5-5
  anthropic: { apiKey: sk-of-the-file }
  openai:
    baseUrl: http://127.0.0.1:11434/v1
    contextTokens: 32768
`;

describe("the settings of models", () => {
  it("are those of the environment where there is no configuration", async () => {
    await using dir = await tempDir();
    const env = { ANTHROPIC_API_KEY: "a", OPENAI_BASE_URL: "http://localhost:1/v1", OPENAI_API_KEY: "" };
    expect(await readModelSettings(dir.path, env)).toEqual({
      anthropic: { apiKey: "a" },
      openai: { baseUrl: "http://localhost:1/v1" },
    });
  });

  // Seed 3: 3.4
  it("are those of the file, except for what the environment says", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("config.yaml"), config, { mode: 0o600 });
    const ofFile = {
      defaultModel: "openai/qwen3",
      instructor: "claude-opus-5-5",
      worker: "anthropic/claude-haiku-5-5",
      anthropic: { apiKey: "sk-of-the-file" },
      openai: { baseUrl: "http://127.0.0.1:11434/v1", contextTokens: 32_768 },
    };
    expect(await readModelSettings(dir.path, {})).toEqual(ofFile);
    const env = {
      CARRYON_MODEL: "gpt-6.1-sol",
      ANTHROPIC_API_KEY: "sk-of-the-environment",
      OPENAI_API_KEY: "another",
      OPENAI_BASE_URL: "https://models.example.com/v1",
    };
    expect(await readModelSettings(dir.path, env)).toEqual({
      ...ofFile,
      defaultModel: "gpt-6.1-sol",
      anthropic: { apiKey: "sk-of-the-environment" },
      openai: { apiKey: "another", baseUrl: "https://models.example.com/v1", contextTokens: 32_768 },
    });
  });

  it("are refused in a file with a key that others can read", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("config.yaml"), config);
    await chmod(dir.join("config.yaml"), 0o640);
    await expect(readModelSettings(dir.path, {})).rejects.toMatchObject({
      code: "config-exposed",
      message: expect.stringContaining("which holds a key"),
    });
  });

  it.each([
    { text: "models: 1", says: "models must be a map" },
    { text: "models: { defualt: gpt-6 }", says: "there is no setting of models defualt" },
    { text: "models: { default: s3cret thing }", says: "models.default is no name of a model" },
    { text: "models: { default: [s3cret] }", says: "models.default must be text" },
    { text: "models: { openai: s3cret }", says: "models.openai must be a map" },
    { text: "models: { openai: { apiKey: 5 } }", says: "models.openai.apiKey must be text" },
    { text: "models: { openai: { apiKey: '' } }", says: "models.openai.apiKey must be text" },
    { text: "models: { openai: { key: s3cret } }", says: "there is no setting of models.openai key" },
    {
      text: "models: { openai: { contextTokens: 1.5 } }",
      says: "models.openai.contextTokens must be a whole number from 1000 on",
    },
  ])("are refused by the line, without what stands there: $text", ({ text, says }) => {
    const parse = () => parseConfig(`# one\n${text}\n`, "/home/config.yaml", settingReaders);
    expect(parse).toThrow(`/home/config.yaml, line 2: ${says}.`);
    try {
      parse();
    } catch (error) {
      expect(inspect(error, { depth: 20 })).not.toContain("s3cret");
    }
  });
});

it.each(Object.values(providers))(
  "says in its page which model of $title is asked when nobody names one",
  (provider) => {
    const page = readFileSync("docs/formats/config.md", "utf8");
    const said = page.split("\n").find((line) => line.startsWith("Without `default`"));
    expect(said).toContain(`\`${provider.id}/${provider.defaultModel}\``);
    for (const name of [provider.keyVariable, provider.hostVariable]) expect(page).toContain(`\`${name}\``);
  },
);
