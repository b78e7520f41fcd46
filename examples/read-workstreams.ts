import { describeDigest, findNextStep, openProject, readWorkstreams } from "../src/index.ts";

/** Prints where each piece of work of a project stands, without a model: its digest, and what to do next. */
export async function printWorkstreams(cwd: string, home: string): Promise<void> {
  const project = await openProject({ cwd, home }, "write");
  const clock = { now: () => new Date() };
  for (const { digest, status, newest } of await readWorkstreams({ ...project, clock })) {
    console.log(`${newest.title}: ${status}`);
    for (const { title, lines } of describeDigest(digest)) {
      for (const { text, sources } of lines)
        console.log(
          title,
          text,
          sources.map(({ seq }) => seq),
        );
    }
    console.log(findNextStep(digest)?.text ?? "Nothing is open.");
  }
  await project.store[Symbol.asyncDispose]();
}
