import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import MarkdownIt from "markdown-it";

/**
 * `npm run pictures` draws docs/images again: the demo on a terminal, and the text of the pull request that its work
 * would get. Needs `script` of util-linux, and Chromium (`CHROMIUM`, else `chromium` in PATH).
 */
const root = new URL("../../", import.meta.url).pathname;
const images = join(root, "docs/images");

const demo = spawnSync(
  "script",
  ["-qec", `${process.execPath} .github/scripts/demo.ts`, "/dev/null"],
  {
    cwd: root,
    env: { ...process.env, TERM: "xterm-256color" },
    encoding: "utf8",
  },
);
const printed = demo.stdout.replaceAll("\r", "");
const project = /made in (\S+)/.exec(printed)?.[1];
if (demo.status !== 0 || project === undefined) throw new Error(`The demo failed:\n${printed}`);
try {
  writeFileSync(join(images, "run.svg"), drawTerminal(chosenLines(printed)));
  drawPull(readPullText(project));
} finally {
  rmSync(dirname(project), { recursive: true });
}

/** The first task, and how the run ended. */
function chosenLines(text: string): string[] {
  const run = text.slice(text.indexOf("$ ralph run"), text.indexOf("\n$ git status"));
  const lines = run.split("\n");
  const second = lines.findIndex((line) => line.includes("T-002"));
  const end = lines.findIndex((line) => line.includes("completed (exit code 0)"));
  return [...lines.slice(0, second), "…", ...lines.slice(end)];
}

function drawTerminal(lines: readonly string[]): string {
  const height = lines.length * 19 + 40;
  const text = lines
    .map((line, index) => `<text y="${index * 19 + 34}">${drawLine(line)}</text>`)
    .join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="${height}" viewBox="0 0 1000 ${height}">
<title>A run of ralph on a terminal</title>
<style>text { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d1d7e0; white-space: pre } .s32 { fill: #57ab5a } .s31 { fill: #e5534b } .s33 { fill: #c69026 } .s2, .s90 { fill: #768390 } .s1 { font-weight: bold }</style>
<rect width="1000" height="${height}" rx="8" fill="#1c2128"/>
<g transform="translate(20 0)">
${text}
</g>
</svg>
`;
}

/** The colours of the terminal as classes: ESC [ code m. */
function drawLine(line: string): string {
  const escaped = line.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
  const parts = escaped.split(/\u001b\[(\d*)m/);
  return parts
    .map((part, index) => {
      if (index % 2 === 1 || part === "") return "";
      return `<tspan class="s${index === 0 ? "0" : parts[index - 1]}" xml:space="preserve">${part}</tspan>`;
    })
    .join("");
}

/** The text `ralph publish` would send, without its first lines about where to. */
function readPullText(project: string): { title: string; body: string } {
  const folder = dirname(project);
  const env = {
    ...process.env,
    HOME: join(folder, "home"),
    RALPH_STATE_DIR: join(folder, "state"),
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const options = { cwd: project, env, encoding: "utf8" } as const;
  execFileSync("git", ["remote", "add", "origin", "https://github.com/octo/words.git"], options);
  const cli = join(root, "dist/cli.js");
  const text = execFileSync(process.execPath, [cli, "publish", "--dry-run"], options);
  const [head = "", ...body] = text.split("\n\n");
  return { title: /Title\s+(.*)/.exec(head)?.[1] ?? "", body: body.join("\n\n") };
}

function drawPull({ title, body }: { title: string; body: string }): void {
  const folder = mkdtempSync(join(tmpdir(), "ralph-pictures-"));
  try {
    const opened = body.replace(/<!--.*?-->/gs, "").replace("<details>", "<details open>");
    const html = new MarkdownIt({ html: true }).render(opened);
    const style = readFileSync(new URL("pictures.css", import.meta.url), "utf8");
    const page = join(folder, "pull.html");
    writeFileSync(
      page,
      `<!doctype html><meta charset="utf-8"><style>${style}</style><h1>${title}</h1><article>${html}</article>`,
    );
    const screenshot = `--screenshot=${join(images, "pull-request.png")}`;
    const plain = ["--headless", "--no-sandbox", "--hide-scrollbars", "--disable-gpu"];
    execFileSync(
      process.env.CHROMIUM ?? "chromium",
      [...plain, "--window-size=900,1180", screenshot, `file://${page}`],
      { stdio: "ignore" },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
