/** Tells a person at a terminal how to talk to a server, in lines to paste. */
export function describeServer(url: string): string {
  return `
A scripted model listens there. It needs no key and costs nothing. Talk to it from another terminal:

  ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=anything carryon chat

or over the protocol of OpenAI:

  OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=anything carryon chat --model openai/scripted

What it was asked: ${url}/__requests. Ctrl+C ends it.
`;
}
