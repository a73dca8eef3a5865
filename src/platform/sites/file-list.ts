/** A checked list of files, from which a deployment is made. */

/** One file of a deployment; `bytes` for inline content. `index` is its position in the input. */
export type CheckedFile = {
  index: number
  path: string
  sha256: string
  size: number
  bytes: Buffer | undefined
}

/** The two files that have the rules of a site, if they exist. */
export type RuleFiles = { redirects: CheckedFile | undefined; headers: CheckedFile | undefined }

/** The files, how many bytes they have together, and which of them have rules. */
export type FileList = { files: CheckedFile[]; bytes: number; ruleFiles: RuleFiles }

/** Takes files, each with a path of its own, as a list. */
export function fileListOf(files: CheckedFile[]): FileList {
  let bytes = 0
  const ruleFiles: RuleFiles = { redirects: undefined, headers: undefined }
  for (const file of files) {
    bytes += file.size
    if (file.path === '_redirects') ruleFiles.redirects = file
    else if (file.path === '_headers') ruleFiles.headers = file
  }
  return { files, bytes, ruleFiles }
}
