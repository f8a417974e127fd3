import { lookup } from "node:dns/promises";
import { BlockList, isIPv4, isIPv6, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";

/** An address as Node resolves it. */
export interface Address {
  readonly address: string;
  readonly family: number;
}

/** Answers all addresses of a host; that of an address is itself. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

/** As every program of this machine resolves names. */
export const resolveHost: Resolve = (host) => lookup(host, { all: true });

/** Connects to these addresses in place of what the name means by then (DNS rebinding, T20). */
export const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_, options, done) => {
    const [first] = addresses;
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? "", first?.family);
  };

/** Networks for special purposes: this machine, private and local ones, carriers, tests, groups (RFC 6890). */
const special4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Azure's own service for its machines answers there, and nowhere else.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const;

/** Of IPv6 only 2000::/3 is public; these parts of it are not, or lead to an IPv4 address (Teredo, 6to4). */
const special6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const special = new BlockList();
for (const [network, bits] of special4) special.addSubnet(network, bits, "ipv4");
for (const [network, bits] of special6) special.addSubnet(network, bits, "ipv6");

const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

/** The addresses of this machine, some of which may be public. */
export const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));

/** Whether an address belongs to the public internet: neither this machine (`own`) nor a network around it. Pure. */
export function isPublicAddress(address: string, own: readonly string[]): boolean {
  if (isIPv4(address)) return !special.check(address, "ipv4") && !own.includes(address);
  if (!isIPv6(address) || address.includes("%")) return false;
  const inner = embeddedAddress(address);
  if (inner) return isPublicAddress(inner, own);
  if (!global6.check(address, "ipv6") || special.check(address, "ipv6")) return false;
  return !own.filter(isIPv6).map(canonical).includes(canonical(address));
}

/** The IPv4 address in `::ffff:0:0/96`, or in `64:ff9b::/96`, by which networks with IPv6 only reach IPv4 hosts. */
function embeddedAddress(address: string): string | undefined {
  const [, text] = /^\[(?:::ffff|64:ff9b:):([0-9a-f]+:[0-9a-f]+)\]$/.exec(canonical(address)) ?? [];
  if (text === undefined) return undefined;
  const [high = 0, low = 0] = text.split(":").map((part) => Number.parseInt(part, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** The shortest form, in brackets. */
const canonical = (address: string) => new URL(`http://[${address.replace(/%.*/, "")}]/`).hostname;
