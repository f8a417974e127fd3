/** An error that no retry can fix: the job becomes a dead letter. */
export class PermanentJobError extends Error {}
