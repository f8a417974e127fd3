import { createHmac, randomUUID } from "node:crypto";
import { request } from "node:http";

export const webhookSecret = "5f0c6a1e9b7d4c2f8e3a";

export interface Sent {
  event?: string | undefined;
  id?: string | undefined;
  body: string | Buffer;
  signature?: string | undefined;
  headers?: Record<string, string>;
  method?: string;
}

export const sign = (body: string | Buffer, secret = webhookSecret) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

export type Answered = { status: number; text: string };

/** Sends a delivery as GitHub does; whatever is given takes the place of what is right. */
export function deliver(url: string, sent: Sent): Promise<Answered> {
  const { event = "issues", id = randomUUID(), body, method = "POST" } = sent;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "x-github-event": event,
    "x-github-delivery": id,
    "x-hub-signature-256": sent.signature ?? sign(body),
    "content-length": String(Buffer.byteLength(body)),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      });
      response.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}
