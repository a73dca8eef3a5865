/** The files in what was dropped on a page. */
import { isNeverDeployed } from '../../../../src/lib/names/never-deployed.ts'
import type { ChosenFile } from './site-files'

/** Folders that are never deployed count as one empty file, so that their name is known. */
const unread = new File([], '')

/**
 * Reads dropped folders and files. Call it in the event's handler: the browser empties the list afterwards.
 * @throws DOMException where the browser can't read a file, such as one without permission.
 */
export async function readDrop(items: DataTransferItemList): Promise<ChosenFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const files: ChosenFile[] = []
  const folders: FileSystemDirectoryEntry[] = []
  const take = async (entry: FileSystemEntry) => {
    const path = entry.fullPath.slice(1)
    if (isDirectory(entry)) {
      if (isNeverDeployed(entry.name)) files.push({ path: `${path}/-`, content: unread })
      else folders.push(entry)
    } else if (isFile(entry)) {
      files.push({ path, content: await contentOf(entry) })
    }
  }
  await Promise.all(entries.map(take))
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    await Promise.all((await entriesOf(folder)).map(take))
  }
  return files
}

const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile

function contentOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** Browsers return a hundred entries at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const next = () => new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
  const entries: FileSystemEntry[] = []
  for (let some = await next(); some.length > 0; some = await next()) entries.push(...some)
  return entries
}
