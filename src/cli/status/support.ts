import { resolve } from "node:path/posix";
import { ralphVersion } from "../../entry/version.ts";
import { RalphError } from "../../error.ts";
import { renderSupport, type SupportFacts, title } from "../../scan/support-bundle.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import type { CommandContext } from "../core/command.ts";
import { openScan } from "../core/open-scan.ts";
import { readSession } from "../core/read-session.ts";
import { replaceGenerated } from "../core/replace-generated.ts";

/** `ralph report --support [FILE]`: a text for bug reports, on stdout or in a file. It works without a valid project. */
export async function printSupport(
  context: CommandContext,
  { file, session }: { file: string | true; session: string | undefined },
): Promise<number> {
  const { system, directory, output } = context;
  await using scan = await openScan(context);
  const facts = { version: ralphVersion, session: await findSession(context, session) };
  const text = await renderSupport(scan, facts);
  if (file === true || file === "") return output.answer({ file: null, text }, text.trimEnd());
  const path = resolve(directory, file);
  await replaceGenerated(system, { path, text, start: title, example: "support.txt" });
  return output.answer({ file, text }, confirmation(file));
}

/** A missing session or repository and a broken journal are part of the text, not errors. */
async function findSession(
  { system, directory }: CommandContext,
  named: string | undefined,
): Promise<SupportFacts["session"]> {
  try {
    const { store } = await locateProject(system, directory);
    const seen = await readSession(store, named);
    if (!seen) return { problem: "There is no session." };
    return { state: seen.state, events: seen.history.map(({ event }) => event) };
  } catch (error) {
    if (!(error instanceof RalphError) || named !== undefined) throw error;
    return { problem: error.message };
  }
}

const confirmation = (file: string) =>
  `${file} holds versions, configuration, figures and events of the last session, and the result of the scan, without secrets, prompts and outputs.\nRead it, then attach it to your report.`;
