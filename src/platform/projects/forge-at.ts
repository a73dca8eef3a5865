/** The kind of forge at an address. */
import { invalidField } from '../../lib/errors.ts'
import type { Forge } from '../../stores/db/schema/project-repositories.ts'

const publicForges: Record<string, Forge> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'codeberg.org': 'gitea',
  'gitea.com': 'gitea',
}

/** The given kind, or else that of the host. @throws AppError `invalid_input` where that isn't known. */
export function forgeAt(url: string, given: Forge | undefined): Forge {
  const { host } = new URL(url)
  const forge = given ?? publicForges[host]
  if (forge === undefined) throw invalidField('git.provider', `required for ${host}: github, gitlab or gitea`)
  return forge
}
