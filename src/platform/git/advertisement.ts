/** The refs that a repository offers to who pushes. */
import { flush, lengthOf, packet } from './pkt-line.ts'
import { alignRefs, discard, isAligned, newRepository } from './repositories.ts'
import { runGit } from './run-git.ts'

/**
 * The answer to `GET info/refs` of a push (gitprotocol-http, "Smart Server Response") of a repository with
 * the refs of `commits`, by branch, as far as it has these.
 */
export async function advertise(directory: string, commits: ReadonlyMap<string, string>): Promise<Buffer> {
  const offered = await offerOf(directory)
  if (isAligned(refsIn(offered), commits)) return answerWith(offered)
  await alignRefs(directory, commits)
  // Also where nothing had to change by then: who tidies up after a push may have been faster.
  return answerWith(await offerOf(directory))
}

let ofNone: Promise<Buffer> | undefined

/** The same for a repository that is not there yet; they are all alike. `root` is the place of all. */
export async function advertiseNone(root: string): Promise<Buffer> {
  ofNone ??= offerOfNew(root).catch((error: unknown) => {
    ofNone = undefined
    throw error
  })
  return answerWith(await ofNone)
}

async function offerOfNew(root: string): Promise<Buffer> {
  const directory = await newRepository(root)
  return offerOf(directory).finally(() => discard(root, directory))
}

function offerOf(directory: string): Promise<Buffer> {
  return runGit(directory, ['receive-pack', '--http-backend-info-refs', directory])
}

/** The commits by the names of the refs; what a repository without refs has instead is no ref. */
function refsIn(offered: Buffer): Map<string, string> {
  const refs = new Map<string, string>()
  for (let at = 0; at < offered.length; ) {
    const length = lengthOf(offered.subarray(at))
    if (!(length > 0)) break
    const [line = ''] = offered.toString('utf8', at + 4, at + length).split('\0')
    const [commit = '', ref = ''] = line.trimEnd().split(' ')
    if (ref.startsWith('refs/')) refs.set(ref, commit)
    at += length
  }
  return refs
}

function answerWith(offered: Buffer): Buffer {
  return Buffer.concat([packet('# service=git-receive-pack\n'), flush, withoutQuiet(offered)])
}

/**
 * Without `quiet` among the capabilities, which follow the first ref. A client names it wherever its output
 * is no terminal, as in CI, where the lines of a build matter most: a push has them in any case.
 */
function withoutQuiet(refs: Buffer): Buffer {
  const length = lengthOf(refs)
  const [ref = '', capabilities = ''] = refs.toString('latin1', 4, length).split('\0')
  const offered = capabilities.trimEnd().split(' ')
  const kept = offered.filter((each) => each !== 'quiet').join(' ')
  return Buffer.concat([packet(Buffer.from(`${ref}\0${kept}\n`, 'latin1')), refs.subarray(length)])
}
