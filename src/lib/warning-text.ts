/** The text of a deployment's warning, for people. */

/** The place that a warning is about, and its sentence. */
type Warning = { path?: string | undefined; line?: number | undefined; message: string }

/** The warning on one line: `_redirects, line 3: never applies: line 1 is for the same path.` */
export function warningText({ path, line, message }: Warning): string {
  if (path === undefined) return message
  return line === undefined ? `${path}: ${message}` : `${path}, line ${line}: ${message}`
}
