import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const source = new URL("../../../src/platform/create-system.ts", import.meta.url).href;
/** The settings of `fetch` are those of a whole process. */
const script = `
const { createSystem } = await import(process.argv[1]);
createSystem();
await fetch(process.argv[2]).then((answer) => answer.text().then(console.log), () => console.log("failed"));
`;

/** The first line a proxy reads when a process with these variables asks for `url`; `$` stands for the proxy. */
async function askThroughProxy(variables: Record<string, string>, url: string) {
  const seen: string[] = [];
  const proxy = createServer((socket) => {
    socket.once("data", (head) => {
      seen.push(String(head).split("\r\n")[0] ?? "");
      socket.end("HTTP/1.1 503 Not now\r\nContent-Length: 0\r\n\r\n");
    });
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const put = (text: string) => text.replace("$", address);
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [name, put(value)]),
  );
  const args = ["--input-type=module", "-e", script, source, put(url)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  proxy.close();
  return { said: stdout.trim(), seen };
}

test.for([
  { HTTPS_PROXY: "http://$" },
  { https_proxy: "$" },
  { ALL_PROXY: "http://$", NO_PROXY: "other.example" },
])("with %j requests of ralph's own take the machine's proxy", async (env) => {
  const { said, seen } = await askThroughProxy(env, "https://api.example.invalid/");
  expect(said).toBe("failed");
  expect(seen).toEqual(["CONNECT api.example.invalid:443 HTTP/1.1"]);
});

test.for([
  [{ HTTPS_PROXY: "http://$", NO_PROXY: ".invalid" }, "https://api.example.invalid/"],
  [{ HTTPS_PROXY: "socks5://$" }, "https://api.example.invalid/"],
  [{}, "https://api.example.invalid/"],
] as const)("with %j they reach %s without it", async ([env, url]) => {
  expect((await askThroughProxy({ ...env }, url)).seen).toEqual([]);
});

test("what runs on this machine is asked directly", async () => {
  const { seen } = await askThroughProxy({ HTTPS_PROXY: "http://$" }, "https://$/");
  expect(seen[0]).not.toContain("CONNECT");
});
