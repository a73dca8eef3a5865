/** The files that a person chose to deploy. */
import { type ChosenFile, projectNameFrom, type Site, siteOf } from './site-files'
import type { Source } from './use-deploy'

export type Chosen = {
  source: Source
  bytes: number
  /** A name for a project of these files; empty where none follows. */
  suggestedName: string
  /** The site of the files; undefined for a zip. */
  site: Site | undefined
}

/** A single zip is deployed as such, unless all of it is in one folder; everything else as files. */
export async function chosenOf(files: ChosenFile[]): Promise<Chosen> {
  const [first] = files
  if (!first || files.length > 1 || !/\.zip$/i.test(first.path)) return chosenFiles(files)
  const zip = first.content
  const { filesOfOneFolder } = await import('./files-of-zip')
  // The server says what is wrong with a zip that can't be read.
  const inFolder = await filesOfOneFolder(zip).catch(() => undefined)
  if (inFolder) return chosenFiles(inFolder)
  const suggestedName = projectNameFrom(zip.name)
  return { source: { kind: 'zip', zip }, bytes: zip.size, suggestedName, site: undefined }
}

function chosenFiles(files: ChosenFile[]): Chosen {
  const site = siteOf(files)
  return {
    source: { kind: 'files', files: site.files, folder: site.folder },
    bytes: site.bytes,
    suggestedName: projectNameFrom(site.folder ?? ''),
    site,
  }
}
