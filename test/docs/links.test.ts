import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { expect, test } from "vitest";

const pages = ["README.md", ...globSync("{docs,src,app,.github}/**/*.md")].toSorted();

const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

test.each(pages)("every link of %s leads somewhere", (page) => {
  const text = readFileSync(page, "utf8");
  for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    expect(existsSync(file), target).toBe(true);
    if (anchor === undefined) continue;
    const headings = Array.from(
      readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm),
      ([, heading = ""]) => anchorOf(heading),
    );
    expect(headings, target).toContain(anchor);
  }
});

test("the README stays within what a person reads in one sitting", () => {
  expect(readFileSync("README.md", "utf8").split("\n").length).toBeLessThanOrEqual(300);
});

test.each(["src/README.md", "app/README.md", "src/autopilot/README.md"])(
  "every source file that %s names exists",
  (page) => {
    const root = dirname(page).split("/")[0] ?? "";
    const named = readFileSync(page, "utf8").matchAll(/`((?:[\w-]+\/)+[\w-]+\.ts)`/g);
    const places = [root, dirname(page), "."];
    const missing = Array.from(named, ([, path = ""]) => path).filter(
      (path) => !places.some((place) => existsSync(join(place, path))),
    );
    expect(missing).toEqual([]);
  },
);
