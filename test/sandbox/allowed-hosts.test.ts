import { expect, test } from "vitest";
import { hostOfUrl, reachOf } from "../../src/sandbox/allowed-hosts.ts";
import { registriesOf } from "../../src/sandbox/registries.ts";

test.for([
  ["docs.example", "docs.example", 443, true],
  ["docs.example", "docs.example", 80, true],
  ["docs.example", "docs.example", 22, false],
  ["docs.example", "sub.docs.example", 443, false],
  ["docs.example", "docs.example.evil.example", 443, false],
  ["docs.example", "evildocs.example", 443, false],
  ["Docs.Example", "docs.example", 443, true],
  ["*.docs.example", "sub.docs.example", 443, true],
  ["*.docs.example", "a.b.docs.example", 443, true],
  ["*.docs.example", "docs.example", 443, false],
  ["*.docs.example", "evildocs.example", 443, false],
  ["docs.example:8443", "docs.example", 8443, true],
  ["docs.example:8443", "docs.example", 443, false],
  ["10.0.0.5:3128", "10.0.0.5", 3128, true],
  ["[::1]:8080", "::1", 8080, true],
  ["*", "anything.example", 443, false],
] as const)("%s in the list, %s:%i: %j", ([entry, host, port, isListed]) => {
  const hosts = { named: [entry], derived: [] };
  expect(reachOf(hosts, { host, port }) !== "none").toBe(isListed);
});

test.for([
  [{ named: ["a.example"] }, "a.example", 443, "any"],
  [{ named: ["A.example"] }, "a.example", 443, "any"],
  [{ named: ["10.0.0.5"] }, "10.0.0.5", 80, "any"],
  [{ named: ["localhost:3000"] }, "localhost", 3000, "any"],
  [{ named: ["*.example"] }, "a.example", 443, "public"],
  [{ named: ["*.0.0.1"] }, "127.0.0.1", 443, "public"],
  [{ named: ["*.example", "a.example"] }, "a.example", 443, "any"],
  [{ named: ["*.example:8443", "a.example"] }, "a.example", 8443, "public"],
  [{ derived: ["registry.example"] }, "registry.example", 443, "public"],
  [{ named: ["registry.example"], derived: ["registry.example"] }, "registry.example", 443, "any"],
  [{ derived: ["Region.example"] }, "region.example", 443, "public"],
  [{ derived: ["registry.example"] }, "other.example", 443, "none"],
  [{}, "a.example", 443, "none"],
] as const)(
  "with %j the host %s:%i may be reached at addresses of the kind %s",
  ([hosts, host, port, reach]) => {
    expect(reachOf({ named: [], derived: [], ...hosts }, { host, port })).toBe(reach);
  },
);

test.for([
  ["https://gateway.example/anthropic", "gateway.example"],
  ["http://gateway.example:8080/", "gateway.example:8080"],
  ["https://[2001:db8::1]/v1", "[2001:db8::1]"],
  ["ftp://gateway.example", undefined],
  ["gateway.example", undefined],
] as const)("the host of %s is %s", ([url, host]) => {
  expect(hostOfUrl(url)).toBe(host);
});

test("a project's own files choose the registries, and the machine's variables replace none of them", () => {
  const paths = ["README.md", "services/api/go.mod", "web/package.json"];
  expect(registriesOf(paths, {})).toEqual({
    named: [],
    derived: ["registry.npmjs.org", "registry.yarnpkg.com", "proxy.golang.org", "sum.golang.org"],
  });
  const variables = { GOPROXY: "https://go.example|https://two.example,direct" };
  expect(registriesOf(["README.md"], variables)).toEqual({ named: [], derived: [] });
  expect(registriesOf(["go.mod"], variables)).toEqual({
    named: ["go.example", "two.example"],
    derived: ["proxy.golang.org", "sum.golang.org"],
  });
});

test("no registry is a host that takes more than packages", () => {
  const all = [
    "package.json",
    "setup.py",
    "go.mod",
    "Cargo.toml",
    "pom.xml",
    "Gemfile",
    "composer.json",
    "a.csproj",
  ];
  expect(registriesOf(all, {}).derived.filter((host) => /github|gitlab|upload/.test(host))).toEqual(
    [],
  );
});
