/** The sources that a request wants to deploy: files that it sends or names, or another deployment's. */
import { invalidField } from '../../lib/errors.ts'
import type { Store } from '../../stores/db/store.ts'
import type { Scope } from '../callers/scope.ts'
import { checkFiles, type FileCaps } from './check-files.ts'
import type { CreateDeployment } from './deployment-input.ts'
import { findSources, type Sources } from './find-sources.ts'
import type { Sending } from './missing-files.ts'

/**
 * `agent` is the User-Agent of the request; `untrusted` is for the sources of somebody outside the team,
 * which no request can say.
 */
export type DeploymentInput = Omit<CreateDeployment, 'direct_uploads'> &
  Sending & { agent?: string | undefined; untrusted?: boolean }

/**
 * The files of the request, checked; undefined where it names a deployment instead.
 * @throws AppError `invalid_input`.
 */
export async function checkSent(
  caps: FileCaps,
  { from, files, build, target, meta, zip }: DeploymentInput,
): Promise<Sources | undefined> {
  if (from !== undefined) {
    if (files === undefined) return undefined
    throw invalidField('files', 'must be left out with from, whose sources are deployed')
  }
  if (files === undefined) throw invalidField('files', 'required, or from with the id of a deployment')
  return {
    ...(await checkFiles(files, caps)),
    build: build ?? {},
    spa: zip?.spa ?? null,
    target: target ?? 'preview',
    meta: meta ?? {},
  }
}

/**
 * The sources of the deployment that the request names, with what it wants otherwise.
 * @throws AppError `deployment_not_found`, `untrusted`, `sources_gone`.
 */
export async function findNamed(
  { store }: { store: Store },
  { id: projectId }: { id: string },
  { teamId }: Pick<Scope, 'teamId'>,
  { from = '', build, target, meta }: DeploymentInput,
): Promise<Sources> {
  const found = await findSources(store.db, { teamId, projectId }, from)
  return {
    ...found,
    build: { ...found.build, ...build },
    target: target ?? found.target,
    meta: meta ?? found.meta,
  }
}
