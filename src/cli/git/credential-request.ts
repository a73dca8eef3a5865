/** The request of git to a credential helper (git-credential(1), "Input/Output format"). */
import { StringDecoder } from 'node:string_decoder'
import { parseUrl } from '../../lib/names/parse-url.ts'
import { usageFailure } from '../command-failure.ts'

/** The most of the lines with which git describes a credential, in characters. */
const maxLength = 64 * 1024

/**
 * The attributes up to an empty line or the end of the input; of one that comes twice, the last counts.
 * @throws Failure (2) beyond 64 KiB.
 */
export async function readCredentialRequest(input: AsyncIterable<Buffer | string>) {
  const decoder = new StringDecoder('utf8')
  let text = ''
  for await (const chunk of input) {
    text += decoder.write(Buffer.from(chunk))
    if (text.length > maxLength) throw usageFailure('The description of the credential is too long.')
    if (/^\n|\n\n/.test(text)) break
  }
  const [lines = ''] = text.split(/^\n|\n\n/, 1)
  return new Map(lines.split('\n').flatMap((line) => attributeOf(line) ?? []))
}

function attributeOf(line: string): [[string, string]] | undefined {
  const at = line.indexOf('=')
  return at === -1 ? undefined : [[line.slice(0, at), line.slice(at + 1)]]
}

const defaultPorts = new Map([
  ['http', 80],
  ['https', 443],
])

/**
 * The origin that a credential is for; undefined for other protocols than HTTP, and for a host that isn't
 * written as the origin's is: what a parser makes of it may be another than the one git connects to.
 */
export function originOf(attributes: ReadonlyMap<string, string>): string | undefined {
  const [protocol = '', host = ''] = [attributes.get('protocol'), attributes.get('host')]
  const port = defaultPorts.get(protocol)
  const address = `${protocol}://${host}`
  const url = parseUrl(address)
  if (port === undefined || !url) return undefined
  return [url.host, `${url.hostname}:${port}`].includes(host.toLowerCase()) ? url.origin : undefined
}
