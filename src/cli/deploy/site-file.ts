/** A file as found: its path on the site, and what shows later whether it has changed. */
export type SiteFile = {
  /** Relative to the site's directory, with slashes. */
  path: string
  /** Where its content is, without links on the way. */
  absolute: string
  size: number
  modifiedMs: number
  /** When its content or metadata last changed. */
  changedMs: number
  device: number
  inode: number
}
