import { resolve } from "node:path/posix";
import { ralphVersion } from "../../entry/version.ts";
import { RalphError } from "../../error.ts";
import { openScene } from "../../scan/scene.ts";
import { renderSupport, type SupportFacts, title } from "../../scan/support-bundle.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import type { CommandContext } from "../core/command.ts";
import { readSession } from "../core/read-session.ts";
import { replaceOwn } from "../core/replace-own.ts";
import { sessionDirOf } from "../core/session-dir.ts";

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
  if (target !== undefined) {
    const path = resolve(directory, target);
    await replaceOwn(system, { path, text, start: title, example: "support.txt" });
  }
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
    return { state: seen.state, events: seen.history.map(({ event }) => event) };
  } catch (error) {
    if (!(error instanceof RalphError) || named !== undefined) throw error;
    return { problem: error.message };
  }
}

const told = (file: string) =>
  `${file} holds versions, configuration, the last session's figures and events, and the scan's result, without secrets, prompts and outputs.\nRead it, then attach it to your report.`;
