import { type ParseArgsConfig, parseArgs } from "node:util";

type Options = NonNullable<ParseArgsConfig["options"]>;
type Wanted<Known extends Options> = { options: Known; allowPositionals?: boolean };

/** Reads the options of a script. `--help` prints the usage and ends it; a wrong option is one sentence, and exit code 1. */
export function readOptions<const Known extends Options>(usage: string, wanted: Wanted<Known>) {
  if (process.argv.slice(2).some((word) => word === "--help" || word === "-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(wanted);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stopScript(error.message.replace(/\. .*/s, ""));
  }
}

/** Ends a script that was called wrongly. */
export function stopScript(why: string): never {
  console.error(`${why}; \`--help\` names the options.`);
  process.exit(1);
}
