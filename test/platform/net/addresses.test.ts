import { expect, test } from "vitest";
import { isPublicAddress } from "../../../src/platform/net/addresses.ts";

test.for([
  ["this machine", "127.0.0.1"],
  ["this machine by another address", "127.8.9.10"],
  ["this machine over IPv6", "::1"],
  ["any address of this machine", "0.0.0.0"],
  ["any address of this machine over IPv6", "::"],
  ["the machine's metadata", "169.254.169.254"],
  ["the machine's metadata at Alibaba", "100.100.100.200"],
  ["the machine's metadata over IPv6", "fd00:ec2::254"],
  ["the start of a private network", "10.0.0.0"],
  ["the end of a private network", "10.255.255.255"],
  ["the start of the second", "172.16.0.0"],
  ["the end of the second", "172.31.255.255"],
  ["the third", "192.168.0.1"],
  ["the machine's settings at Azure", "168.63.129.16"],
  ["a carrier's network", "100.64.0.1"],
  ["a network for tests", "198.18.0.1"],
  ["a multicast group", "224.0.0.251"],
  ["everybody", "255.255.255.255"],
  ["a link over IPv6", "fe80::1"],
  ["a link with its interface", "fe80::1%eth0"],
  ["a private network over IPv6", "fc00::1"],
  ["a site", "fec0::1"],
  ["a multicast group over IPv6", "ff02::1"],
  ["IPv4 written as IPv6", "::ffff:127.0.0.1"],
  ["IPv4 written as IPv6, in hex", "::ffff:a9fe:a9fe"],
  ["IPv4 in the old form", "::127.0.0.1"],
  ["IPv4 behind a translation", "64:ff9b::10.0.0.1"],
  ["IPv4 behind a translation of its own", "64:ff9b:1::10.0.0.1"],
  ["IPv4 behind 6to4", "2002:7f00:1::1"],
  ["IPv4 behind Teredo", "2001:0:7f00:1::"],
  ["an example", "2001:db8::1"],
  ["a name", "localhost"],
  ["nothing", ""],
])("%s is not public: %s", ([, address = ""]) => {
  expect(isPublicAddress(address, [])).toBe(false);
});

test.for([
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "140.82.121.4",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.255",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2001:200::1",
  "2606:4700::6810:1",
  "2a00:1450:4001:82a::200e",
  "::ffff:1.1.1.1",
  "64:ff9b::140.82.121.4",
])("%s is public", (address) => {
  expect(isPublicAddress(address, ["1.1.1.2", "fe80::1", "2606:4700::2"])).toBe(true);
});

test.for([
  "1.1.1.2",
  "::ffff:1.1.1.2",
  "64:ff9b::1.1.1.2",
  "2606:4700::2",
  "2606:4700:0:0:0:0:0:2",
])("%s is not public on the machine that has it", (address) => {
  expect(isPublicAddress(address, ["fe80::1%eth0", "1.1.1.2", "2606:4700::2"])).toBe(false);
});
