// Runs on the Node that LangGraph's native module was built for, which may be too old for TypeScript.
import { createRequire } from "node:module";
import { join } from "node:path";

const [peersFolder, workFolder] = process.argv.slice(2);
// Found in the peers' folder, not among the dependencies of this package.
const load = createRequire(join(peersFolder, "package.json"));
const { SqliteSaver } = load("@langchain/langgraph-checkpoint-sqlite");
const { emptyCheckpoint, uuid6 } = load("@langchain/langgraph-checkpoint");
const { AIMessage, HumanMessage } = load("@langchain/core/messages");

const threads = new Map();

const toMessage = ({ id, role, text }) =>
  new (role === "user" ? HumanMessage : AIMessage)({ id, content: text });

/** Makes a thread whose state holds as many messages as were given. */
async function open({ length, messages }) {
  const saver = SqliteSaver.fromConnString(join(workFolder, `langgraph-${length}.db`));
  const thread = {
    saver,
    messages: messages.map(toMessage),
    step: 0,
    config: { configurable: { thread_id: "one", checkpoint_ns: "" } },
  };
  await save(thread);
  threads.set(length, thread);
}

/** Saves one step as the graph does: what the node wrote, then the state after it. Returns the milliseconds it took. */
async function append({ length, message }) {
  const thread = threads.get(length);
  const added = toMessage(message);
  const start = performance.now();
  await thread.saver.putWrites(thread.config, [["messages", [added]]], uuid6(thread.step));
  // In the place of the last one, so that the thread keeps its length however often it is measured.
  thread.messages[thread.messages.length - 1] = added;
  await save(thread);
  return performance.now() - start;
}

async function save(thread) {
  thread.step += 1;
  const versions = { messages: thread.step };
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(thread.step),
    channel_values: { messages: thread.messages },
    channel_versions: versions,
    versions_seen: { agent: versions },
  };
  const metadata = { source: "loop", step: thread.step, parents: {} };
  thread.config = await thread.saver.put(thread.config, checkpoint, metadata, versions);
}

const work = { open, append };

process.on("message", async ({ type, ...task }) => {
  try {
    process.send({ milliseconds: await work[type](task) });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
