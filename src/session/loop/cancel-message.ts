/** Why somebody other than the user wants the session to end; the reason of an abort. */
export class CancelReason {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** What a cancelled session says of its end. */
export const cancelMessage = ({ reason }: Pick<AbortSignal, "reason">): string =>
  reason instanceof CancelReason ? reason.message : "Cancelled.";
