import { readModels } from "../model/models-setting.ts";
import type { ModelSettings, ProviderSettings } from "../model/open-model.ts";
import { type Provider, providers } from "../model/parse-model-name.ts";
import { readConfig } from "./read-config.ts";

/** How models are reached, and which of them have a part in a run. */
export interface ModelChoices extends ModelSettings {
  readonly instructor?: string;
  readonly worker?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Collects what a user has set about models. The environment wins over config.yaml; what is empty there is not set. */
export async function readModelSettings(home: string, env: Environment): Promise<ModelChoices> {
  const {
    default: ofConfig,
    instructor,
    worker,
    anthropic,
    openai,
  } = (await readConfig(home, () => ({ models: readModels }))).models ?? {};
  const defaultModel = env.CARRYON_MODEL || ofConfig;
  return {
    ...(defaultModel === undefined ? {} : { defaultModel }),
    ...(instructor === undefined ? {} : { instructor }),
    ...(worker === undefined ? {} : { worker }),
    anthropic: overrule(anthropic, env, providers.anthropic),
    openai: overrule(openai, env, providers.openai),
  };
}

function overrule(
  settings: ProviderSettings | undefined,
  env: Environment,
  { keyVariable, hostVariable }: Provider,
): ProviderSettings {
  const apiKey = env[keyVariable] || settings?.apiKey;
  const baseUrl = env[hostVariable] || settings?.baseUrl;
  return {
    ...settings,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  };
}
