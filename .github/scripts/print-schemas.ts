import { readdir, rm, writeFile } from "node:fs/promises";
import { renderSchemas } from "./printed-schemas.ts";

// Makes schemas/ hold exactly what the code describes.
const folder = new URL("../../schemas/", import.meta.url);
const schemas = renderSchemas();
for (const name of await readdir(folder)) {
  if (!schemas.has(name)) await rm(new URL(name, folder));
}
for (const [name, text] of schemas) await writeFile(new URL(name, folder), text);
