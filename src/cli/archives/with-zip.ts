/** The files of a zip, as the server would read them. */
import { open } from 'node:fs/promises'
import { readZip } from '../../platform/deployments/zip/read-zip.ts'
import { type ArchivedFile, caps } from './archived-file.ts'

/**
 * Calls `use` with the files of the zip at `path`.
 * @throws AppError `invalid_input` for one that a deployment can't have.
 */
export async function withZip(
  path: string,
  use: (files: AsyncIterable<ArchivedFile>) => Promise<void>,
): Promise<void> {
  const zip = await open(path)
  try {
    await use(filesOf(await readZip(zip.fd, caps)))
  } finally {
    await zip.close()
  }
}

async function* filesOf(files: Awaited<ReturnType<typeof readZip>>): AsyncGenerator<ArchivedFile> {
  for (const { path, content, linkTo } of files) {
    if (linkTo === undefined) yield { path, content: content() }
    else yield { path, linkTo }
  }
}
