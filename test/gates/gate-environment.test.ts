import { expect, test } from "vitest";
import { gateEnvironment } from "../../src/gates/gate-environment.ts";

/** Code that Python compiled for another tree would pass for the present one. */
const ours = { PYTHONDONTWRITEBYTECODE: "1" };

const outside = {
  PATH: "/bin",
  HOME: "/home/me",
  LANG: "C.UTF-8",
  LC_ALL: "C",
  CI: "true",
  TERM: undefined,
  ANTHROPIC_API_KEY: "secret",
  GITHUB_TOKEN: "secret",
  GITHUB_OUTPUT: "/run/out",
  ACTIONS_RUNTIME_TOKEN: "secret",
  RALPH_STATE_DIR: "/state",
  NODE_OPTIONS: "--require x",
  DATABASE_URL: "postgres://",
  GITHUB_SHA: "abc",
};

test("only the allow-list and the locale are passed on", () => {
  expect(gateEnvironment(outside, [])).toEqual({
    ...ours,
    PATH: "/bin",
    HOME: "/home/me",
    LANG: "C.UTF-8",
    LC_ALL: "C",
    CI: "true",
  });
});

test("the configuration adds names, but never the runner's channels or our own", () => {
  const named = ["DATABASE_URL", "GITHUB_SHA", "MISSING", "GITHUB_TOKEN", "GITHUB_OUTPUT"];
  const more = [...named, "ACTIONS_RUNTIME_TOKEN", "RALPH_STATE_DIR"];
  expect(Object.keys(gateEnvironment(outside, more))).toEqual([
    ...Object.keys(ours),
    "PATH",
    "HOME",
    "LANG",
    "CI",
    "LC_ALL",
    "DATABASE_URL",
    "GITHUB_SHA",
  ]);
});

test("proxies and registries of the machine are passed on, unless their address holds a password", () => {
  const network = {
    ...{ HTTP_PROXY: "http://proxy", HTTPS_PROXY: "http://ada:secret@proxy" },
    ...{ NODE_EXTRA_CA_CERTS: "/etc/ca.pem", NO_PROXY: undefined },
  };
  expect(gateEnvironment(network, [])).toEqual({
    ...ours,
    ...{ HTTP_PROXY: "http://proxy", NODE_EXTRA_CA_CERTS: "/etc/ca.pem" },
  });
  expect(gateEnvironment(network, ["HTTPS_PROXY"])).toMatchObject({
    HTTPS_PROXY: "http://ada:secret@proxy",
  });
});
