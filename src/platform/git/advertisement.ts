/** What a repository offers to who pushes. */
import { flush, lengthOf, packet } from './pkt-line.ts'
import { runGit } from './run-git.ts'

/** The answer to `GET info/refs` of a push (gitprotocol-http, "Smart Server Response"). */
export async function advertise(directory: string): Promise<Buffer> {
  const refs = await runGit(directory, ['receive-pack', '--http-backend-info-refs', directory])
  return Buffer.concat([packet('# service=git-receive-pack\n'), flush, withoutQuiet(refs)])
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
