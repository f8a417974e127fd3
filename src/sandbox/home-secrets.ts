const names = [
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".config/git/credentials",
  ".docker/config.json",
  ".git-credentials",
  ".gnupg",
  ".kube",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".ssh",
];

/** Paths of credentials that an agent never needs (T18, G03). Its own login is not among them. */
export function listHomeSecrets(home: string): string[] {
  return names.map((name) => `${home}/${name}`);
}
