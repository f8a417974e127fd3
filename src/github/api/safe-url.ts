const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Whether a token may be sent to an address: https, or http on this machine. */
export function isSafeUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username || password) return false;
  return protocol === "https:" || (protocol === "http:" && loopback.has(hostname));
}
