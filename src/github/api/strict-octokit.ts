import type { Octokit } from "@octokit/rest";

type Rest = Octokit["rest"];

/** Without the index signature, by which a misspelled parameter would compile. */
type Known<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

type Strict<Endpoint> = Endpoint extends (parameters?: infer Parameters) => infer Answer
  ? ((parameters: Known<NonNullable<Parameters>>) => Answer) & Pick<Endpoint, keyof Endpoint>
  : never;

/** Octokit whose endpoints take exactly the parameters GitHub describes: a wrong or missing one does not compile. */
export type StrictOctokit = Omit<Octokit, "rest"> & {
  readonly rest: {
    [Scope in keyof Rest]: { [Name in keyof Rest[Scope]]: Strict<Rest[Scope][Name]> };
  };
};
