/** The uploads that a deployment needs before it is created. */
import { AppError } from '../../lib/errors.ts'
import type { Principal } from '../callers/principal.ts'
import { getProject } from '../projects/read-project.ts'
import type { CreateDeps } from './create-deployment.ts'
import type { MissingUploadsInput } from './deployment-input.ts'
import type { MissingUpload } from './deployment-output.ts'
import { ensureBlobs } from './missing-files.ts'
import { checkSent } from './requested-sources.ts'
import { limitedSender } from './seen-digests.ts'

/**
 * An upload URL for each digest among the files that the caller's team doesn't have; none if a deployment of
 * these files can be created at once.
 * @throws AppError `invalid_input`, `project_not_found`, `storage_quota` if the files exceed it.
 */
export async function findMissingUploads(
  deps: CreateDeps,
  principal: Principal,
  { project, files }: MissingUploadsInput,
): Promise<{ missing: MissingUpload[] }> {
  const sent = await checkSent(deps.caps, { project, files })
  const { id } = await getProject(deps, principal, project)
  try {
    await ensureBlobs(deps, principal.teamId, sent?.files ?? [], { limited: limitedSender(principal, id) })
    return { missing: [] }
  } catch (error) {
    if (error instanceof AppError && error.missing) return { missing: error.missing }
    throw error
  }
}
