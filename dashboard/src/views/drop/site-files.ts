/** The files of a site among those that a person chose. */
import { isNeverDeployed, projectFile } from '../../../../src/lib/names/never-deployed.ts'

/** `path` as chosen, with the folder: `dist/index.html`. */
export type ChosenFile = { path: string; content: File }

export type SiteFile = { path: string; content: File }

export type Site = {
  /** The folder's name, if one folder was chosen. */
  folder: string | undefined
  /** With paths relative to the folder. */
  files: SiteFile[]
  bytes: number
  /** Names that are never deployed and were found. */
  leftOut: string[]
}

/** Sorts out what is deployed of the chosen files. */
export function siteOf(chosen: ChosenFile[]): Site {
  const folder = commonFolder(chosen)
  const start = folder === undefined ? 0 : folder.length + 1
  const leftOut = new Set<string>()
  const files = chosen.flatMap(({ path, content }) => {
    // APFS may hold other forms of a name than the links to it.
    const relative = path.slice(start).normalize('NFC')
    const left = relative === projectFile ? relative : relative.split('/').find(isNeverDeployed)
    if (left === undefined) return { path: relative, content }
    leftOut.add(left)
    return []
  })
  return {
    folder,
    files: files.sort((a, b) => (a.path < b.path ? -1 : 1)),
    bytes: files.reduce((sum, { content }) => sum + content.size, 0),
    leftOut: [...leftOut],
  }
}

/** The folder that all of these are in. */
export function commonFolder(chosen: { path: string }[]): string | undefined {
  const [first] = chosen
  const [folder, ...rest] = first?.path.split('/') ?? []
  if (folder === undefined || rest.length === 0) return undefined
  return chosen.every(({ path }) => path.startsWith(`${folder}/`)) ? folder : undefined
}

/** A name that a project may have, from that of a folder or zip: `My Site.zip` → `my-site`. */
export function projectNameFrom(name: string): string {
  return name
    .replace(/\.zip$/i, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '')
}
