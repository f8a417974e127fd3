import { expect, test } from "vitest";
import { createGitHub } from "../../../src/github/api/create-github.ts";
import { downloadProof } from "../../../src/github/artifacts/download-bundle.ts";
import { startGitHubServer } from "../../support/github/server.ts";
import { renderZip } from "../../support/github/zip.ts";

const green = {
  ...{ kind: "proved", head: "a".repeat(40), journal: "9:abc" },
  ...{ gates: [], criteria: [], problems: [] },
};

async function download(name: string, content: string) {
  const body = renderZip([{ name, content }]);
  await using server = await startGitHubServer(({ path }) =>
    path.startsWith("/api/")
      ? { status: 302, headers: { location: `${server.url}/storage` } }
      : { body },
  );
  const github = createGitHub({ apiUrl: server.apiUrl, token: "t0ken", repository: "o/r" });
  const artifact = { id: 1, name: "ralph-proof-12-1", attempt: 1, bytes: body.length };
  return await downloadProof({ github, clock: { sleep: async () => {} } }, artifact);
}

test("the clean room's result is read", async () => {
  expect(await download("proof.json", `${JSON.stringify(green)}\n`)).toEqual(green);
});

test.each([
  ["holds no proof", "other.json", JSON.stringify(green)],
  ["holds another text", "proof.json", "yes"],
  ["has another shape", "proof.json", JSON.stringify({ kind: "proved" })],
])("an artifact that %s is exit 2, and never counts as green", async (_, name, content) => {
  await expect(download(name, content)).rejects.toMatchObject({
    reason: "source",
    message: expect.stringContaining(
      "proof.json of the artifact ralph-proof-12-1 is not a readable",
    ),
  });
});
