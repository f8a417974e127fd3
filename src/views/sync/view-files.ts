/** What surfaces need of the files below a root: small whole files and files that grow. */
export interface ViewFiles {
  read: (path: string) => Promise<Buffer | undefined>;
  /** `backdated`: a file git tracks; see `WriteOptions`. */
  write: (
    path: string,
    content: string | Buffer,
    options?: { backdated?: boolean },
  ) => Promise<void>;
  openAppend: (path: string) => Promise<AsyncDisposable & { append(text: string): Promise<void> }>;
  remove: (path: string) => Promise<void>;
  list: (path: string) => Promise<string[]>;
}
