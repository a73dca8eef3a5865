/** The path of a repository in its address. */

/** Without slashes and `.git` at its end, which lead to the same repository. */
export function repositoryPath({ pathname }: URL): string {
  return pathname.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '')
}
