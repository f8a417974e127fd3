/** An error no further attempt can mend: the job is kept as dead, to be looked at. */
export class PermanentJobError extends Error {}
