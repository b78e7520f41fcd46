import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import { chooseDefaultModel, type ModelSettings, openModel } from "../../src/model/open-model.ts";

const keys: ModelSettings = { anthropic: { apiKey: "sk-a" }, openai: { apiKey: "sk-o" } };

/** Opens a model that cannot be opened, and returns what is said of it. */
function refuse(name: string, settings: ModelSettings) {
  try {
    openModel(name, settings);
  } catch (error) {
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cret");
    if (error instanceof AppError) {
      const { kind, code, message, hint } = error;
      return { kind, code, message, hint };
    }
    throw error;
  }
  throw new Error("It was opened.");
}

describe("the name of a model", () => {
  it.each([
    { name: "anthropic/claude-sonnet-5-5", is: "anthropic/claude-sonnet-5-5", contextTokens: 1_000_000 },
    { name: "claude-haiku-4-5", is: "anthropic/claude-haiku-4-5", contextTokens: 200_000 },
    { name: "Anthropic/glm-5", is: "anthropic/glm-5", contextTokens: 200_000 },
    { name: "haiku", is: "anthropic/claude-haiku-5-5", contextTokens: 1_000_000 },
    { name: "Opus", is: "anthropic/claude-opus-5-5", contextTokens: 1_000_000 },
    { name: "terra", is: "openai/gpt-6.1-terra", contextTokens: 1_050_000 },
    { name: "openai/haiku", is: "openai/haiku", contextTokens: 128_000 },
    { name: "gpt-4o", is: "openai/gpt-4o", contextTokens: 128_000 },
    { name: "o3-mini", is: "openai/o3-mini", contextTokens: 200_000 },
    { name: "openai/meta-llama/Llama-4", is: "openai/meta-llama/Llama-4", contextTokens: 128_000 },
    { name: " openai/claude-like ", is: "openai/claude-like", contextTokens: 128_000 },
  ])("says whose it is and how much it holds: $name", ({ name, is, contextTokens }) => {
    const model = openModel(name, keys);
    expect({ name: model.name, contextTokens: model.contextTokens }).toEqual({ name: is, contextTokens });
  });

  it("may hold as much as is set", () => {
    expect(openModel("openai/qwen3", { openai: { apiKey: "k", contextTokens: 32_768 } }).contextTokens).toBe(
      32_768,
    );
  });

  const example =
    "Write a provider and a model, such as anthropic/claude-sonnet-5-5 or openai/gpt-6.1-terra.";
  const plain = (name: string) =>
    `Write anthropic/… or openai/…, such as openai/${name} for a server that speaks OpenAI's protocol.`;
  it.each([
    { name: "", code: "bad-model-name", message: "This is no name of a model.", hint: example },
    { name: "a\nb/c", code: "bad-model-name", message: "This is no name of a model.", hint: example },
    {
      name: "anthropic/",
      code: "bad-model-name",
      message: "The model of anthropic is not named.",
      hint: example,
    },
    {
      ...{ name: "antropic/claude-x", code: "unknown-provider" },
      message: "antropic/claude-x names no provider that there is.",
      hint: `Did you mean anthropic? ${plain("antropic/claude-x")}`,
    },
    {
      ...{ name: "cluade-sonnet-5-5", code: "unknown-provider" },
      message: "cluade-sonnet-5-5 names no provider that there is.",
      hint: `Did you mean claude-sonnet-5-5? ${plain("cluade-sonnet-5-5")}`,
    },
    {
      ...{ name: "constructor/x", code: "unknown-provider" },
      message: "constructor/x names no provider that there is.",
      hint: plain("constructor/x"),
    },
  ])("is refused with what may be meant: $name", ({ name, ...said }) => {
    expect(refuse(name, keys)).toEqual({ kind: "usage", ...said });
  });
});

describe("the key of a model", () => {
  it("is asked for by the name of its variable", () => {
    expect(refuse("anthropic/x", { openai: { apiKey: "k" } })).toEqual({
      ...{ kind: "config", code: "no-model-key" },
      message: "There is no key for Anthropic: set ANTHROPIC_API_KEY.",
      hint: "Or write it as `models: anthropic: apiKey:` into config.yaml, which nobody else may read.",
    });
    expect(refuse("openai/x", { openai: {} }).message).toBe(
      "There is no key for OpenAI: set OPENAI_API_KEY.",
    );
  });

  it.each(["s3cret\n", "s3cret\u0000", " s3cret", "s3crét", ""])(
    "is refused when it cannot be one: %j",
    (apiKey) => {
      expect(refuse("openai/x", { openai: { apiKey } })).toEqual({
        ...{ kind: "config", code: "bad-model-key" },
        message: "The key for OpenAI has a line break or another character that no key has.",
        hint: "Set OPENAI_API_KEY, or the setting in config.yaml, to the key alone.",
      });
    },
  );

  it("does not show in the model", () => {
    const model = openModel("openai/x", { openai: { apiKey: "s3cret" } });
    const shown = inspect(model, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
    expect([shown, JSON.stringify(model)].join()).not.toContain("s3cret");
  });
});

describe("the address of a provider", () => {
  it.each([
    "https://models.example.com/v1",
    "https://models.example.com:8443/v1/",
    "http://localhost:11434/v1",
    "http://models.localhost/v1",
    "http://127.8.9.1:1/v1",
    "http://[::1]:8080/v1",
  ])("is taken with a key: %s", (baseUrl) => {
    expect(openModel("openai/x", { openai: { apiKey: "k", baseUrl } }).name).toBe("openai/x");
  });

  it("may be on the network unencrypted where there is no key to be read", () => {
    expect(openModel("openai/x", { openai: { baseUrl: "http://192.168.1.5:11434/v1" } }).name).toBe(
      "openai/x",
    );
  });

  const example = "Write an address such as https://api.openai.com/v1.";
  it.each([
    {
      baseUrl: "http://192.168.1.5:11434/s3cret",
      reason: "the key would go over the network unencrypted",
      hint: "Write https://, or reach the server through this machine, as `ssh -L` does, or give it no key: OPENAI_API_KEY.",
    },
    {
      baseUrl: "http://127.0.0.1.s3cret.example.com",
      reason: "the key would go over the network unencrypted",
      hint: "Write https://, or reach the server through this machine, as `ssh -L` does, or give it no key: OPENAI_API_KEY.",
    },
    {
      baseUrl: "https://me:s3cret@models.example.com",
      reason: "a name or password stands in it",
      hint: "Set OPENAI_API_KEY instead.",
    },
    {
      baseUrl: "https://models.example.com/v1?key=s3cret",
      reason: "something follows its path",
      hint: example,
    },
    {
      baseUrl: "ftp://s3cret.example.com",
      reason: "it is no address that begins with https://",
      hint: example,
    },
    { baseUrl: "s3cret", reason: "it is no address that begins with https://", hint: example },
  ])("is refused without being repeated: $reason", ({ baseUrl, reason, hint }) => {
    expect(refuse("openai/x", { openai: { apiKey: "sk-o", baseUrl } })).toEqual({
      ...{ kind: "config", code: "bad-model-url", hint },
      message: `The address of OpenAI (OPENAI_BASE_URL) cannot be used: ${reason}.`,
    });
  });
});

it.each([
  { settings: {}, model: "anthropic/claude-sonnet-5-5" },
  { settings: { anthropic: { apiKey: "a" } }, model: "anthropic/claude-sonnet-5-5" },
  { settings: { openai: { apiKey: "o" } }, model: "openai/gpt-6.1-terra" },
  { settings: keys, model: "anthropic/claude-sonnet-5-5" },
  { settings: { ...keys, defaultModel: "openai/qwen3" }, model: "openai/qwen3" },
])("is $model when nobody names one", ({ settings, model }) => {
  expect(chooseDefaultModel(settings)).toBe(model);
});
