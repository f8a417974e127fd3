import { sha256 } from "../../schema/session-files/checksum.ts";

/** What an issue says, as an event or the API has it. */
export interface IssueText {
  title: string;
  body?: string | null | undefined;
}

/** Digest of what an issue says: handed on, it tells whether somebody has edited it since it was asked for (T05). */
export const digestOfIssue = ({ title, body }: IssueText): string =>
  sha256(JSON.stringify([title, body ?? ""]));
