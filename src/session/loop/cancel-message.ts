/** An abort reason for a session that is ended by something other than the user. */
export class CancelReason {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** The end message of a cancelled session. */
export const cancelMessage = ({ reason }: Pick<AbortSignal, "reason">): string =>
  reason instanceof CancelReason ? reason.message : "Cancelled.";
