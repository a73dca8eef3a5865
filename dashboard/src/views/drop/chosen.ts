/** What a person chose to deploy. */
import { type ChosenFile, projectNameFrom, type Site, siteOf } from './site-files'
import type { Source } from './use-deploy'

export type Chosen = {
  source: Source
  bytes: number
  /** What a project of it may be called; empty where no name follows. */
  suggestedName: string
  /** Of a folder. */
  site: Site | undefined
}

/** A single zip is deployed as such, everything else as files. */
export function chosenOf(files: ChosenFile[]): Chosen {
  const [first] = files
  if (first && files.length === 1 && /\.zip$/i.test(first.path)) {
    const zip = first.content
    const suggestedName = projectNameFrom(zip.name)
    return { source: { kind: 'zip', zip }, bytes: zip.size, suggestedName, site: undefined }
  }
  const site = siteOf(files)
  return {
    source: { kind: 'files', files: site.files, folder: site.folder },
    bytes: site.bytes,
    suggestedName: projectNameFrom(site.folder ?? ''),
    site,
  }
}
