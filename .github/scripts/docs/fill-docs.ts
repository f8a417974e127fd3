import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { parse } from "yaml";
import { Variables } from "../../../app/settings/variables.ts";
import { createProgram } from "../../../src/cli/program.ts";
import { type StopReason, stopMeanings, stopReasons } from "../../../src/error.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { laterKeys } from "../../../src/schema/config/later-keys.ts";
import { renderSchemas } from "../printed-schemas.ts";

/** The command with all its commands and options, to be looked at and not run. */
export const documentedProgram = await createProgram(
  {
    system: createSystem,
    directory: "/",
    streams: process,
    cancel: () => new AbortController().signal,
    exit: () => {},
  },
  [],
);

/** A page with every table between `<!-- docs:NAME -->` and `<!-- /docs:NAME -->` printed from the code. */
export const fillDocs = (page: string): string =>
  page.replace(tableMarkers, (_, name: string) => {
    const render = tables[name];
    if (!render) throw new Error(`No table is called ${name}; there are ${tableNames.join(", ")}.`);
    return `<!-- docs:${name} -->\n${render()}\n<!-- /docs:${name} -->`;
  });

const tableMarkers = /<!-- docs:(\w+) -->\n.*?<!-- \/docs:\1 -->/gs;

const tables: Record<string, () => string> = {
  commands: commandTable,
  exits: exitTable,
  config: configTable,
  inputs: inputTable,
  outputs: outputTable,
  settings: settingTable,
};

/** Every table the documentation needs, each on exactly one page. */
export const tableNames = Object.keys(tables);

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

const cell = (text: string) => text.replaceAll("|", "\\|").replace(/\s+/g, " ");

function commandTable(): string {
  const options = ({ options }: Command) =>
    options.map(({ flags }) => `\`${cell(flags)}\``).join(", ");
  return table(
    ["Command", "What it does", "Options"],
    documentedProgram.commands.map((command) => [
      `\`ralph ${command.name()}\``,
      cell(command.summary()),
      options(command),
    ]),
  );
}

function exitTable(): string {
  const reasons = Object.entries(stopReasons) as [StopReason, number][];
  return table(
    ["Code", "Stop reason", "Meaning"],
    reasons.map(([reason, code]) => [String(code), `\`${reason}\``, cell(stopMeanings[reason])]),
  );
}

type Described = { description: string; default?: string };
type Action = { inputs: Record<string, Described>; outputs: Record<string, Described> };

const action = parse(
  readFileSync(new URL("../../../action.yml", import.meta.url), "utf8"),
) as Action;

function inputTable(): string {
  const rows = Object.entries(action.inputs).map(([name, { description, default: fallback }]) => [
    `\`${name}\``,
    fallback === undefined ? "" : `\`${cell(fallback)}\``,
    cell(description),
  ]);
  return table(["Input", "Default", "Meaning"], rows);
}

function outputTable(): string {
  const rows = Object.entries(action.outputs).map(([name, { description }]) => [
    `\`${name}\``,
    cell(description),
  ]);
  return table(["Output", "Meaning"], rows);
}

function settingTable(): string {
  const fallback = (usual: unknown) => {
    if (usual === undefined) return "needed";
    return usual === "" ? "" : `\`${cell(String(usual))}\``;
  };
  const rows = Object.entries(Variables.shape).map(([name, schema]) => {
    const { usual, description = "" } = schema.meta() ?? {};
    return [`\`${name}\``, fallback(usual), cell(description)];
  });
  return table(["Variable", "Default", "Meaning"], rows);
}

type Schema = {
  description?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  $ref?: string;
};

function configTable(): string {
  const schema = JSON.parse(renderSchemas().get("config.schema.json") ?? "{}") as Schema;
  return table(["Key", "Default", "Meaning"], rowsOf(schema, ""));
}

function rowsOf(schema: Schema, path: string): string[][] {
  const inner = schema.items ?? schema.anyOf?.find(({ properties }) => properties) ?? schema;
  const named =
    typeof inner.additionalProperties === "object" ? { "<name>": inner.additionalProperties } : {};
  return Object.entries({ ...inner.properties, ...named }).flatMap(([key, value]) => {
    const name = `${path}${key}${value.items?.properties ? "[]" : ""}`;
    const below = rowsOf(value, `${name}.`);
    const fallback =
      value.default === undefined || below.length > 0
        ? ""
        : `\`${cell(JSON.stringify(value.default))}\``;
    const later = laterKeys.some(({ key }) => key === name) ? "**No effect yet.** " : "";
    return [[`\`${name}\``, fallback, `${later}${cell(value.description ?? "")}`], ...below];
  });
}
