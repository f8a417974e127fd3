import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Reply = (response: ServerResponse) => void;

const page =
  (html: string): Reply =>
  (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(`<!doctype html><title>Bad</title><body>${html}</body>`);
  };

const pages: Record<string, Reply> = {
  "/hang": (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.write("<h1>never ends");
  },
  "/never": () => {},
  "/loop": (response) => {
    response.writeHead(302, { location: "/loop" });
    response.end();
  },
  "/download": (response) => {
    const name = "attachment; filename=../../x.sh";
    response.writeHead(200, {
      "content-disposition": name,
      "content-type": "application/octet-stream",
    });
    response.end("boo");
  },
  "/dialogs": page(
    '<h1>after</h1><script>alert("hi"); document.title = String(confirm("sure?"))</script>',
  ),
  "/links": page("<h1>Links</h1><a href=/download>Save as</a>"),
  "/window": page("<button onclick=\"window.open('/good')\">Open</button>"),
  "/spin": page("<h1>spin</h1><script>setTimeout(() => { for (;;); }, 50)</script>"),
  "/flood": page(
    '<h1>flood</h1><script>for (let i = 0; i < 3000; i++) console.error("x".repeat(300) + i)</script>',
  ),
  "/errors": page(
    '<h1>errors</h1><img src="/nothing.png"><script>console.error("bad thing"); setTimeout(() => { throw new Error("boom") }, 20)</script>',
  ),
  "/tall": page('<h1>Tall</h1><div style="width: 20000px; height: 20000px">much</div>'),
  "/good": page(
    "<h1>Good</h1><label>Name <input></label><select aria-label=Country><option>Chile<option>Peru</select><button>Save</button><button>Save</button><a href=/good>Help</a><button disabled>Never</button><p>plain words</p>",
  ),
};

/** A server whose pages misbehave, one way each; any other path is 404 without a body. */
export async function serveBadPages(): Promise<{ url: string } & Disposable> {
  const server = createServer((request, response) => {
    const reply = pages[request.url ?? ""];
    if (reply) return reply(response);
    response.writeHead(request.url === "/favicon.ico" ? 204 : 404);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
