/**
 * A Unix socket on which another process is to listen: this one binds it and passes its descriptor on, and
 * never accepts a connection. Node has no public way to that: a server of `node:net` accepts at once.
 */
import { rename, rm } from 'node:fs/promises'
import { getSystemErrorName } from 'node:util'
import { z } from 'zod'

/** The most bytes of a path that fit an address (unix(7), `sun_path` without its end). */
export const maxPathBytes = 107

type Pipe = { fd: number; bind(path: string): number; close(): void }

const pipes = z.object({
  Pipe: z.custom<new (type: number) => Pipe>((value) => typeof value === 'function'),
  constants: z.object({ SERVER: z.number() }),
})

/** `release` closes this process's descriptor, once it was passed on; `remove` the file. */
export type BoundSocket = { fd: number; release(): void; remove(): Promise<void> }

/**
 * Binds a socket at `path`, to which nobody can connect before somebody listens, and once nobody has it open.
 * @throws Error where it can't be bound.
 */
export async function bindSocket(path: string): Promise<BoundSocket> {
  const { Pipe, constants } = readBinding()
  const pipe = new Pipe(constants.SERVER)
  // Closing the handle removes the file at the path that it was bound to.
  const bound = `${path}-`
  const code = pipe.bind(bound)
  if (code !== 0) {
    pipe.close()
    throw new Error(`The socket ${path} can't be bound: ${getSystemErrorName(code)}.`)
  }
  await rename(bound, path)
  return { fd: pipe.fd, release: () => pipe.close(), remove: () => rm(path, { force: true }) }
}

function readBinding(): z.infer<typeof pipes> {
  const binding: unknown = Reflect.get(process, 'binding')
  if (typeof binding !== 'function') throw new Error('This Node has no `process.binding`.')
  return pipes.parse(Reflect.apply(binding, process, ['pipe_wrap']))
}
