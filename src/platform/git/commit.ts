/** From a commit in a repository to what a deployment is made of. */
import { inParallel } from '../../lib/async/in-parallel.ts'
import { AppError } from '../../lib/errors.ts'
import { decides, maxManifestBytes, recognizeFound } from '../../lib/frameworks/recognize.ts'
import type { BuildSettings } from '../../stores/db/schema/projects.ts'
import type { FileCaps, SentContent, SentZip } from '../deployments/check-files.ts'
import type { FileInput } from '../deployments/deployment-input.ts'
import { digestOf } from './digests.ts'
import { findVerdicts } from './ignore-rules.ts'
import { listEntries } from './list-entries.ts'
import { type Objects, smallBytes } from './objects.ts'
import { type PushedSettings, readPushedSettings } from './project-file.ts'
import { readMeta } from './read-meta.ts'
import { GitFailed } from './run-git.ts'
import { below, contentOf, filesOf, type TreeFile } from './tree.ts'

export type CommitSources = {
  files: FileInput[]
  sent: SentZip
  build: PushedSettings['build']
  meta: Record<string, string>
  /** Sentences for the pusher. */
  remarks: string[]
}

type Source = { directory: string; objects: Objects; caps: FileCaps; signal: AbortSignal }

/**
 * The files of `commit`, below the directory `root` if that is not empty, with their digests, its build
 * settings and who wrote it; without `branch` it is of none. Sources of a known framework are built as the
 * table says, unless the project, by the settings `known`, or `svc.json` says how.
 * @throws AppError `invalid_input` for what can't be deployed.
 */
export async function readCommit(
  source: Source,
  wanted: Wanted,
  known: BuildSettings,
): Promise<CommitSources> {
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
  { directory, objects, caps, signal }: Source,
  { commit, branch, root = '' }: Wanted,
  known: BuildSettings,
): Promise<CommitSources> {
  const meta = await readMeta(objects, commit)
  const entries = below(root, await listEntries({ directory, commit, signal }))
  const settings = await readPushedSettings(objects, entries)
  const ofSite = below(settings.folder, settings.others)
  const verdicts = await findVerdicts({ directory, objects, signal }, ofSite)
  const { files, leftOut } = await filesOf(objects, { entries: ofSite, verdicts }, caps)
  const content: SentContent = new Map()
  const hashed = await inParallel(files, filesAtATime, async (file) => {
    const { path, oid, size } = file
    const sha256 = await digestOf({ directory, objects, signal }, file)
    content.set(sha256, () => objects.read(oid, size))
    return { path, sha256, size }
  })
  const isDecided = known.build_command !== null || settings.build.build_command !== undefined
  const recognized = isDecided ? undefined : await recognize(objects, files, known)
  return {
    files: hashed,
    sent: { content, leftOut, source: 'git', spa: settings.spa, alongBytes: smallBytes },
    build: { ...recognized?.build, ...settings.build },
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
      ...(recognized?.remarks ?? []),
    ],
  }
}

const filesAtATime = 64

/** Fields of `svc.json` that are named, and of a field's name, in UTF-16 code units. */
const maxRemarks = 20
const maxFieldLength = 100

/** The build of a known framework; undefined for files that are no sources of one. */
async function recognize(objects: Objects, files: TreeFile[], known: BuildSettings) {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const texts = new Map<string, string>()
  for (const file of files) {
    if (file.path.includes('/') || !decides(file.path) || file.size > maxManifestBytes) continue
    texts.set(file.path, (await contentOf(objects, file)).toString())
  }
  const sources = recognizeFound({
    names: [...new Set(files.map(({ path }) => path.split('/', 1)[0] ?? ''))],
    has: (path) => byPath.has(path),
    textOf: (name) => texts.get(name),
  })
  if (!sources) return undefined
  const { framework, install, build, output, advice } = sources
  return {
    build: {
      install_command: known.install_command ?? install ?? null,
      build_command: build,
      output_directory: output,
    },
    remarks: [
      `These are sources for ${framework}, built with ${build} into ${output}. ` +
        'The build settings of the project or of svc.json come first, if there are any.',
      ...(advice === undefined ? [] : [advice]),
    ],
  }
}
