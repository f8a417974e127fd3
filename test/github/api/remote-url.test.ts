import { expect, test } from "vitest";
import { parseRemoteUrl } from "../../../src/github/api/remote-url.ts";

const hub = "https://github.com/octo/example.git";
const hubApi = "https://api.github.com";
const own = "https://ghe.example.org/octo/example.git";
const ownApi = "https://ghe.example.org/api/v3";

test.each([
  ["https://github.com/octo/example.git", hub, hubApi],
  ["https://github.com/octo/example", hub, hubApi],
  ["https://github.com/octo/example/", hub, hubApi],
  ["https://ada:s3cret@github.com/octo/example.git", hub, hubApi],
  ["git@github.com:octo/example.git", hub, hubApi],
  ["github.com:octo/example", hub, hubApi],
  ["ssh://git@github.com/octo/example.git", hub, hubApi],
  ["ssh://git@ssh.github.com:443/octo/example.git", hub, hubApi],
  ["git@GitHub.com:octo/example.git", hub, hubApi],
  ["https://www.github.com/octo/example", hub, hubApi],
  ["ssh://git@ghe.example.org:2222/octo/example.git", own, ownApi],
  ["git@ghe.example.org:octo/example.git", own, ownApi],
  ["https://ghe.example.org/octo/example.git", own, ownApi],
  [
    "https://octo.ghe.com/octo/example.git",
    "https://octo.ghe.com/octo/example.git",
    "https://api.octo.ghe.com",
  ],
  [
    "http://127.0.0.1:8080/octo/example.git",
    "http://127.0.0.1:8080/octo/example.git",
    "http://127.0.0.1:8080/api/v3",
  ],
])("%s is pushed to %s", (text, url, apiUrl) => {
  expect(parseRemoteUrl(text)).toMatchObject({
    url,
    hosted: { repository: "octo/example", apiUrl },
  });
});

test.each([["/srv/git/example.git"], ["file:///srv/git/example.git"]])(
  "%s is a folder on this machine",
  (text) => {
    expect(parseRemoteUrl(text)).toEqual({ url: "file:///srv/git/example.git" });
  },
);

test.each([
  "http://github.com/octo/example.git",
  "https://github.com/example.git",
  "https://github.com/a/b/c.git",
  "../example.git",
  "ext::sh -c evil",
  "git@github.com:octo/exa mple",
  "",
])("%j is not a repository to publish to", (text) => {
  expect(parseRemoteUrl(text)).toBeUndefined();
});
