/** Stored values that the encryption key doesn't decrypt. */
import { and, isNotNull } from 'drizzle-orm'
import { keyPlace } from '../../platform/certificates/order-certificate.ts'
import { openEnvValue } from '../../platform/projects/env.ts'
import { openRepositorySecret } from '../../platform/projects/repository.ts'
import { unseal } from '../../stores/data-dir/seal.ts'
import { branchEnv } from '../../stores/db/schema/branch-env.ts'
import { certificates } from '../../stores/db/schema/certificates.ts'
import { projectRepositories } from '../../stores/db/schema/project-repositories.ts'
import { projectEnv } from '../../stores/db/schema/projects.ts'
import { secondFactors } from '../../stores/db/schema/second-factors.ts'
import { webhooks } from '../../stores/db/schema/webhooks.ts'
import type { CheckDeps, Found } from './deps.ts'
import { walkTable } from './walk-table.ts'

/** Decrypts every value. */
export async function* checkSecrets({ db, keys }: CheckDeps): AsyncGenerator<Found[]> {
  const { projectId, key, target, sealed } = projectEnv
  const env = walkTable(db, 'project_env', (range) =>
    db.select({ projectId, key, target, sealed }).from(projectEnv).where(range),
  )
  for await (const rows of env)
    yield rows.flatMap((row) => {
      const subject = `${row.projectId} ${row.key} ${row.target}`
      const value = `${row.target} value of ${row.key} of project ${row.projectId}`
      const message = `The ${value} can't be decrypted: set it again.`
      return unreadable(subject, message, () => openEnvValue(keys.env, row, row.sealed))
    })
  const ofBranches = walkTable(db, 'branch_env', (range) =>
    db
      .select({
        projectId: branchEnv.projectId,
        branch: branchEnv.branch,
        key: branchEnv.key,
        sealed: branchEnv.sealed,
      })
      .from(branchEnv)
      .where(range),
  )
  for await (const rows of ofBranches)
    yield rows.flatMap((row) => {
      const subject = `${row.projectId} ${row.key} ${row.branch}`
      const value = `value of ${row.key} for the branch ${row.branch} of project ${row.projectId}`
      const message = `The ${value} can't be decrypted: set it again.`
      return unreadable(subject, message, () =>
        openEnvValue(keys.env, { ...row, target: 'preview' }, row.sealed),
      )
    })
  const { url, tokenSealed } = projectRepositories
  const ofRepositories = walkTable(db, 'project_repositories', (range) =>
    db
      .select({
        projectId: projectRepositories.projectId,
        url,
        token: tokenSealed,
        secret: projectRepositories.secretSealed,
      })
      .from(projectRepositories)
      .where(range),
  )
  for await (const rows of ofRepositories)
    yield rows.flatMap((row) =>
      (['token', 'secret'] as const).flatMap((kind) => {
        const sealed = row[kind]
        if (sealed === null) return []
        const subject = `${row.projectId} ${kind}`
        const value = `${kind} of the repository of project ${row.projectId}`
        const message = `The ${value} can't be decrypted: set it again.`
        return unreadable(subject, message, () => openRepositorySecret(keys.env, { ...row, kind }, sealed))
      }),
    )
  const secrets = walkTable(db, 'webhooks', (range) =>
    db.select({ id: webhooks.id, sealed: webhooks.sealedSecret }).from(webhooks).where(range),
  )
  for await (const rows of secrets)
    yield rows.flatMap(({ id, sealed }) => {
      const message = `The secret of webhook ${id} can't be decrypted: create another one.`
      return unreadable(id, message, () => unseal(keys.webhooks, id, sealed))
    })
  const { userId, secretSealed } = secondFactors
  const factors = walkTable(db, 'second_factors', (range) =>
    db
      .select({ userId, secretSealed })
      .from(secondFactors)
      .where(and(range, isNotNull(secretSealed))),
  )
  for await (const rows of factors)
    yield rows.flatMap(({ userId: id, secretSealed: sealed }) => {
      if (sealed === null) return []
      const message =
        `The second factor of user ${id} can't be decrypted: take it away ` +
        'with `svc admin user <address> --without-second-factor`.'
      return unreadable(id, message, () => unseal(keys.secondFactors, id, sealed))
    })
  const { name, source, keySealed } = certificates
  const served = walkTable(db, 'certificates', (range) =>
    db.select({ name, source, keySealed }).from(certificates).where(range),
  )
  for await (const rows of served)
    yield rows.flatMap((row) => {
      const sealed = row.keySealed
      if (sealed === null) return []
      const message =
        `The key of the certificate of ${row.name} can't be decrypted: ` +
        'upload it again, or delete its row to order another one.'
      const subject = `${row.name} ${row.source}`
      return unreadable(subject, message, () =>
        unseal(keys.certificates, keyPlace(row.name, row.source), sealed),
      )
    })
}

function unreadable(subject: string, message: string, open: () => string): Found[] {
  try {
    open()
    return []
  } catch {
    return [{ kind: 'secret_unreadable', subject, message, mended: false }]
  }
}
