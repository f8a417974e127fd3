/** What surfaces need of the files below a root: small whole files and files that grow. */
export interface ViewFiles {
  read: (path: string) => Promise<Buffer | undefined>;
  write: (path: string, content: string) => Promise<void>;
  openAppend: (path: string) => Promise<AsyncDisposable & { append(text: string): Promise<void> }>;
  remove: (path: string) => Promise<void>;
  list: (path: string) => Promise<string[]>;
}
