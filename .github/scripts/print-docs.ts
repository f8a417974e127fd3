import { readFileSync, writeFileSync } from "node:fs";
import { fillDocs } from "./docs/fill-docs.ts";

/** Prints the tables of README.md from the code they describe, between their markers. */
const readme = new URL("../../README.md", import.meta.url);
writeFileSync(readme, fillDocs(readFileSync(readme, "utf8")));
