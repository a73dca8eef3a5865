/** Chooses the files of a commit that are deployed, and how they are built. */
import { inFolder } from '../../lib/frameworks/found.ts'
import { recognize } from '../../lib/frameworks/recognize.ts'
import { findWorkspace, type Workspace } from '../../lib/frameworks/workspace.ts'
import { needsWorker } from '../../lib/needs-worker.ts'
import type { FileCaps } from '../deployments/check-files.ts'
import { buildOfDeployment } from '../projects/build-settings.ts'
import type { KnownProject } from '../projects/read-project.ts'
import { type Decision, decideBuild, requireSite } from './decide-build.ts'
import { foundAmong, readable } from './found-among.ts'
import { findVerdicts } from './ignore-rules.ts'
import type { Objects } from './objects.ts'
import { type PushedSettings, projectFile, readPushedSettings } from './project-file.ts'
import { below, type Entry, filesOf, type Tree } from './tree.ts'

export type Source = { directory: string; objects: Objects; caps: FileCaps; signal: AbortSignal }

/** All entries of a commit; `root` is the directory of the project in it, empty for all of it. */
type Commit = { entries: Entry[]; root: string }

/** The settings of a project that its deployments are made by. */
export type KnownBuild = Pick<KnownProject, 'build' | 'start'> & {
  /** Asks whether its last ready deployment was a static site. */
  wasStatic: () => Promise<boolean>
}

export type Chosen = Tree & {
  settings: PushedSettings
  build: PushedSettings['build']
  /** Sentences for the pusher. */
  remarks: string[]
}

/**
 * The files below the directory of the project, or the one that `svc.json` names there; of what is built and
 * belongs to a workspace, those of the workspace. Sources of a known framework are built as the table says,
 * unless the project, by the settings `known`, or `svc.json` says how.
 * @throws AppError `invalid_input` for what can't be deployed, such as sources that nobody knows how to
 * build.
 */
export async function chooseSources(
  source: Source,
  { entries, root }: Commit,
  known: KnownBuild,
): Promise<Chosen> {
  const settings = await readPushedSettings(source.objects, below(root, entries))
  const merged = buildOfDeployment(known, settings.build)
  const isDecided = known.build.build_command !== null || settings.isDecided
  // Undefined where the files decide it.
  const builds = isDecided || merged.start !== null ? needsWorker(merged) : undefined
  const folder = inFolder(root, settings.folder)
  const around = await workspaceOf(source.objects, entries, { folder, builds })
  const decide = async ({ files }: Tree, at: string) =>
    isDecided ? undefined : decideBuild(source.objects, { files, at }, { ...known, build: merged })
  const withBuild = (tree: Tree, decision: Decision | undefined): Chosen => ({
    ...tree,
    settings,
    build: { ...decision?.build, ...settings.build },
    remarks: decision?.remarks ?? [],
  })

  if (around && ['.', around.folder].includes(merged.root_directory)) {
    const tree = await treeOf(source, below(around.root, withoutFile(entries, root)))
    const decision = await decide(tree, around.folder)
    if (decision?.build || builds) {
      const chosen = withBuild(tree, decision)
      return { ...chosen, build: { ...chosen.build, root_directory: around.folder } }
    }
  }
  const tree = await treeOf(source, below(settings.folder, settings.others))
  const at = merged.root_directory === '.' ? '' : merged.root_directory
  const decision = await decide(tree, at)
  if (!isDecided && !decision?.build && at !== '') await requireSite(source.objects, tree.files)
  return withBuild(tree, decision)
}

/** The entries but for the `svc.json` of the project. */
function withoutFile(entries: Entry[], root: string): Entry[] {
  const own = inFolder(root, projectFile)
  return entries.filter(({ path }) => path !== own)
}

async function treeOf({ directory, objects, caps, signal }: Source, entries: Entry[]): Promise<Tree> {
  const verdicts = await findVerdicts({ directory, objects, signal }, entries)
  return filesOf(objects, { entries, verdicts }, caps)
}

/** The directory that may be built, and whether it is; undefined where its files decide that. */
type MayBuild = { folder: string; builds: boolean | undefined }

/**
 * The workspace with which the package in a directory is built; undefined also where nothing is built, so
 * that nothing around a site matters.
 */
async function workspaceOf(
  objects: Objects,
  entries: Entry[],
  { folder, builds }: MayBuild,
): Promise<Workspace | undefined> {
  if (folder === '' || builds === false) return undefined
  const plain = entries.filter(({ mode }) => mode.startsWith('100'))
  const found = await foundAmong(objects, plain, folder)
  return readable(async () => {
    const isSite = builds === undefined && (await recognize(found, folder)).kind === 'site'
    return isSite ? undefined : findWorkspace(found, folder)
  })
}
