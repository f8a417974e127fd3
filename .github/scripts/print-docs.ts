import { globSync, readFileSync, writeFileSync } from "node:fs";
import { fillDocs } from "./docs/fill-docs.ts";

/** Prints the tables of the documentation from the code they describe, between their markers. */
for (const page of ["README.md", ...globSync("docs/*.md")]) {
  writeFileSync(page, fillDocs(readFileSync(page, "utf8")));
}
