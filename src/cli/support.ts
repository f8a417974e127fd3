import { basename, dirname, resolve } from "node:path/posix";
import { openScene } from "../doctor/scene.ts";
import { renderSupport, type SupportFacts, title } from "../doctor/support-bundle.ts";
import { ralphVersion } from "../door/version.ts";
import { RalphError } from "../error.ts";
import { locateProject } from "../loop/locate-project.ts";
import { readPathKinds } from "../system/path-kinds.ts";
import type { CommandContext } from "./command.ts";
import { readSession } from "./read-session.ts";
import { sessionDirOf } from "./session-dir.ts";

/** `ralph report --support [FILE]`: a text for bug reports, to a file or to stdout. It works where nothing else does. */
export async function printSupport(
  context: CommandContext,
  { file, session }: { file: string | true; session: string | undefined },
): Promise<number> {
  const { system, directory, globals, output, signal } = context;
  await using scene = await openScene(system, {
    directory,
    config: globals.config,
    sessionDir: (root) => sessionDirOf(context, root),
    signal,
  });
  const facts = { version: ralphVersion, session: await lookForSession(context, session) };
  const text = await renderSupport(scene, facts);
  const target = file === true || file === "" ? undefined : file;
  if (target !== undefined) await write(context, { path: resolve(directory, target), text });
  if (output.wantsJson) output.json({ file: target ?? null, text });
  else output.result(target === undefined ? text.trimEnd() : told(target));
  return 0;
}

/** No session, no repository and a broken journal are what somebody may need help with. */
async function lookForSession(
  { system, directory }: CommandContext,
  named: string | undefined,
): Promise<SupportFacts["session"]> {
  try {
    const { store } = await locateProject(system, directory);
    const seen = await readSession(store, named);
    if (!seen) return { problem: "There is none." };
    return { run: seen.run, events: seen.history.map(({ event }) => event) };
  } catch (error) {
    if (!(error instanceof RalphError) || named !== undefined) throw error;
    return { problem: error.message };
  }
}

/** An older one of these texts is written over; nothing else is. */
async function write(
  { system }: CommandContext,
  { path, text }: { path: string; text: string },
): Promise<void> {
  const folder = dirname(path);
  if (readPathKinds([folder]).folders.length === 0) {
    throw new RalphError("config", {
      message: `There is no folder ${folder}.`,
      remedy: `Make it with \`mkdir -p ${folder}\`, or name a file elsewhere.`,
    });
  }
  const files = system.files(folder);
  const name = basename(path);
  const old = await files.read(name);
  if (old?.toString().startsWith(title) === false) {
    throw new RalphError("config", {
      message: `${path} is there already and holds something else.`,
      remedy: "Name another file, such as support.txt.",
    });
  }
  await files.write(name, text);
}

const told = (file: string) =>
  `${file} holds versions, configuration, the last session's figures and events, and the scan's result, without secrets, prompts and outputs.\nRead it, then attach it to your report.`;
