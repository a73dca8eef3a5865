/** Looks at a repository before a project is connected to it. */
import { z } from 'zod'
import { invalidField } from '../../../lib/errors.ts'
import { secretField } from '../../../lib/secret.ts'
import { forges } from '../../../stores/db/schema/project-repositories.ts'
import type { Scope } from '../../callers/scope.ts'
import { forgeAt } from '../../projects/forge-at.ts'
import { branchName } from '../../projects/project-input.ts'
import { repositoryUrl } from '../../projects/repository-url.ts'
import { userNames } from '../user-names.ts'
import { type AskDeps, askInTurn } from './ask-in-turn.ts'
import { refusedRefs } from './refused-refs.ts'

/** Named as in `projects.put`, to which the same goes. */
export const inspectInput = z.strictObject({
  git: z.strictObject({
    url: z.string().max(500),
    provider: z.enum(forges).optional(),
    token: secretField(z.string().min(1).max(1_000).optional(), { description: 'Kept nowhere' }),
    production_branch: branchName.optional(),
  }),
})

/** `url` in the form in which it is stored. */
export const inspectedRepositorySchema = z.object({
  url: z.string(),
  provider: z.enum(forges),
  default_branch: z.string(),
})

/**
 * The repository as its forge describes it, until `signal` aborts.
 * @throws AppError `invalid_input` for an address, a token or a branch with which nothing could be deployed,
 * `too_many_waiting`.
 */
export async function inspectRepository(
  deps: AskDeps,
  { teamId }: Scope,
  { git }: z.infer<typeof inspectInput>,
  signal: AbortSignal,
): Promise<z.infer<typeof inspectedRepositorySchema>> {
  const { token, production_branch: branch } = git
  const url = repositoryUrl(git.url)
  const provider = forgeAt(url, git.provider)
  const question = { url, user: userNames[provider], token, branch, signal }
  const refs = await askInTurn(deps, teamId, question)
  if ('answer' in refs) throw refusedRefs(refs.answer, token !== undefined)
  const { defaultBranch, hasBranch } = refs
  if (branch !== undefined && !hasBranch) throw noBranch(defaultBranch)
  if (defaultBranch === undefined && branch === undefined)
    throw invalidField('git.url', 'leads to a repository without a default branch: push a commit to it first')
  return { url, provider, default_branch: defaultBranch ?? branch ?? '' }
}

function noBranch(defaultBranch: string | undefined) {
  const other = defaultBranch === undefined ? 'it has no commits' : `its default branch is ${defaultBranch}`
  return invalidField('git.production_branch', `is not in the repository: ${other}`)
}
