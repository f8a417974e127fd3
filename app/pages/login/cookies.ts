import type { IncomingMessage } from "node:http";

/** One of the App's cookies: no script can read it, and of other sites only followed links send it. */
export interface Cookie {
  name: "session" | "login";
  value: string;
  seconds: number;
}

/** How cookies are named and set; over https no other host and no unsafe connection can set one of these names. */
export function createCookies(publicUrl: string) {
  const isSecure = publicUrl.startsWith("https:");
  const nameOf = (name: Cookie["name"]) => `${isSecure ? "__Host-" : ""}ralph_${name}`;
  const set = ({ name, value, seconds }: Cookie): string =>
    [
      `${nameOf(name)}=${value}`,
      `Max-Age=${seconds}`,
      "Path=/",
      "HttpOnly",
      "SameSite=Lax",
      ...(isSecure ? ["Secure"] : []),
    ].join("; ");
  return {
    set,
    clear: (name: Cookie["name"]) => set({ name, value: "", seconds: 0 }),
    read: (request: IncomingMessage, name: Cookie["name"]) => readCookie(request, nameOf(name)),
  };
}

export type Cookies = ReturnType<typeof createCookies>;

/** Sealed values are the longest. */
const form = /^[\w-]{1,2000}$/;

/** The value, if there is exactly one. */
function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const found = (headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  const [value = "", ...others] = found;
  return others.length === 0 && form.test(value) ? value : undefined;
}
