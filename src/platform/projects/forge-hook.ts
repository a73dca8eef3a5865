/** The addresses to which forges send what happens in a project's repository. */

/** Before the id of a project. */
export const forgeHookPath = '/hooks/git'

/** The address for one project. */
export function forgeHookUrl(apiUrl: string, projectId: string): string {
  return `${apiUrl}${forgeHookPath}/${projectId}`
}
