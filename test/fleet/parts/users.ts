/** The ids of users of this machine. */
import { readFile } from 'node:fs/promises'

/** @throws when there is no such user. */
export async function idsOf(name: string): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error(`This machine has no user named ${name}.`)
  return { uid: Number(uid), gid: Number(gid) }
}
