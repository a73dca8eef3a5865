/** Makes repositories, as `git init` does, without a program for it (gitrepository-layout). */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The formats of ids in repositories. */
export type Format = 'sha1' | 'sha256'

const directories = ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']

const core = (version: number) =>
  `[core]\n\trepositoryformatversion = ${version}\n\tfilemode = true\n\tbare = true\n`

/** Earlier versions of git know no other ids than SHA-1. */
const configurations: Record<Format, string> = {
  sha1: core(0),
  sha256: `${core(1)}[extensions]\n\tobjectformat = sha256\n`,
}

/** Makes an empty bare repository in `directory`, which only this user may see. */
export async function initialize(directory: string, format: Format): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  for (const name of directories) await mkdir(join(directory, name), { recursive: true })
  await writeFile(join(directory, 'config'), configurations[format])
  // With it, it is a repository.
  await writeFile(join(directory, 'HEAD'), 'ref: refs/heads/master\n')
}
