/** A repository somebody has installed the App in. */
export interface Place {
  installation: number;
  /** `owner/name`. */
  repository: string;
}
