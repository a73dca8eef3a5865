/** Objects of git, made without git, which would refuse many of them. */
import { createHash } from 'node:crypto'

export type Kind = 'commit' | 'tree' | 'blob'

export type GitObject = { kind: Kind; content: Buffer; id: string }

/** An object with its id. */
export function objectOf(kind: Kind, content: Buffer): GitObject {
  const id = createHash('sha1').update(`${kind} ${content.length}\0`).update(content).digest('hex')
  return { kind, content, id }
}

export type Entry = { mode: '100644' | '40000'; name: string; id: string }

/** A tree of these entries, which come in the order of git. */
export function treeOf(entries: Entry[]): GitObject {
  const parts = entries.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode} ${name}\0`),
    Buffer.from(id, 'hex'),
  ])
  return objectOf('tree', Buffer.concat(parts))
}

const who = 'Mallory <mallory@example.com> 1700000000 +0000'

/** A commit without parents. */
export function commitOf({ id }: GitObject, message = 'Change\n'): GitObject {
  return objectOf('commit', Buffer.from(`tree ${id}\nauthor ${who}\ncommitter ${who}\n\n${message}`))
}

/** A file that is a page. */
export const page = objectOf('blob', Buffer.from('<h1>mallory</h1>\n'))
export const pageEntry: Entry = { mode: '100644', name: 'index.html', id: page.id }
