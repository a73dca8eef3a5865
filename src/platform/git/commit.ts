/** From a commit in a repository to what a deployment is made of. */
import { inParallel } from '../../lib/async/in-parallel.ts'
import { AppError } from '../../lib/errors.ts'
import type { SentContent, SentZip } from '../deployments/check-files.ts'
import type { FileInput } from '../deployments/deployment-input.ts'
import { chooseSources, type KnownBuild, type Source } from './choose-sources.ts'
import { digestOf } from './digests.ts'
import { listEntries } from './list-entries.ts'
import { smallBytes } from './objects.ts'
import type { PushedSettings } from './project-file.ts'
import { readMeta } from './read-meta.ts'
import { GitFailed } from './run-git.ts'

export type CommitSources = {
  files: FileInput[]
  sent: SentZip
  build: PushedSettings['build']
  meta: Record<string, string>
  /** Sentences for the pusher. */
  remarks: string[]
}

/**
 * The files of `commit` that are deployed for the project whose directory is `root`, all of it where that is
 * empty, with their digests, its build settings and who wrote it; without `branch` it is of none. `known` is
 * what decides beside the files.
 * @throws AppError `invalid_input` for what can't be deployed, such as sources that nobody knows how to
 * build.
 */
export async function readCommit(source: Source, wanted: Wanted, known: KnownBuild): Promise<CommitSources> {
  return read(source, wanted, known).catch((error: unknown) => {
    if (!(error instanceof GitFailed) || source.signal.aborted) throw error
    throw new AppError('invalid_input', unreadable, { cause: error })
  })
}

type Wanted = { commit: string; branch: string | undefined; root?: string }

const unreadable =
  'Git can not read the commit: one of its objects is damaged, ' +
  'or takes more memory or time than git may have on this server.'

async function read(
  source: Source,
  { commit, branch, root = '' }: Wanted,
  known: KnownBuild,
): Promise<CommitSources> {
  const { directory, objects, signal } = source
  const meta = await readMeta(objects, commit)
  const entries = await listEntries({ directory, commit, signal })
  const chosen = await chooseSources(source, { entries, root }, known)
  const { files, leftOut, settings, build, remarks } = chosen
  const content: SentContent = new Map()
  const hashed = await inParallel(files, filesAtATime, async (file) => {
    const { path, oid, size } = file
    const sha256 = await digestOf({ directory, objects, signal }, file)
    content.set(sha256, () => objects.read(oid, size))
    return { path, sha256, size }
  })
  return {
    files: hashed,
    sent: { content, leftOut, source: 'git', spa: settings.spa, alongBytes: smallBytes },
    build,
    meta: {
      ...(branch !== undefined && { branch }),
      commit,
      ...meta,
    },
    remarks: [
      ...settings.ignored
        .slice(0, maxRemarks)
        .map(
          (field) =>
            `svc.json: ${field.slice(0, maxFieldLength)} is a setting of the project, ` +
            'which a push does not change.',
        ),
      ...(leftOut.length > 0 ? [`Never deployed: ${leftOut.join(', ')}.`] : []),
      ...remarks,
    ],
  }
}

const filesAtATime = 64

/** Fields of `svc.json` that are named, and of a field's name, in UTF-16 code units. */
const maxRemarks = 20
const maxFieldLength = 100
