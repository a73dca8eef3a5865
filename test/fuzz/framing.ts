/**
 * Where the first request in some bytes ends, strictly by RFC 9112: a boundary found here is beyond doubt.
 */

/** Node's parser reads the versions of RTSP and ICE as those of HTTP, for some methods. */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) [!-~]+ (?:HTTP|RTSP|ICE)\/1\.([01])$/
const fieldLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/
const chunkLine = /^([0-9a-fA-F]{1,12})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/

/**
 * Empty lines before the request are ignored (section 2.2: at least one); Node's parser accepts any line
 * ending.
 */
const emptyLines = /^[\r\n]*/

/** The byte at which it ends; undefined if it is malformed, ambiguous or incomplete. */
function endOfRequest(bytes: string): number | undefined {
  const start = emptyLines.exec(bytes)?.[0].length ?? 0
  const headEnd = bytes.indexOf('\r\n\r\n', start)
  if (headEnd === -1) return undefined
  const [line = '', ...fields] = bytes.slice(start, headEnd).split('\r\n')
  const minor = requestLine.exec(line)?.[2]
  if (minor === undefined || !fields.every((each) => fieldLine.test(each))) return undefined
  const valuesOf = (name: string) =>
    fields
      .filter((each) => each.slice(0, each.indexOf(':')).toLowerCase() === name)
      .map((each) => each.slice(each.indexOf(':') + 1).replaceAll(/^[ \t]+|[ \t]+$/g, ''))
  const [codings, lengths] = [valuesOf('transfer-encoding'), valuesOf('content-length')]
  const bodyAt = headEnd + 4
  if (codings.length > 0) {
    const isChunked = codings.length === 1 && codings[0]?.toLowerCase() === 'chunked'
    return isChunked && lengths.length === 0 && minor === '1' ? endOfChunks(bytes, bodyAt) : undefined
  }
  if (lengths.length === 0) return bodyAt
  const [length = ''] = lengths
  if (lengths.length > 1 || !/^\d{1,15}$/.test(length)) return undefined
  const end = bodyAt + Number(length)
  return end <= bytes.length ? end : undefined
}

function endOfChunks(bytes: string, from: number): number | undefined {
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(chunkLine.exec(bytes.slice(at, lineEnd))?.[1] ?? '', 16)
    if (Number.isNaN(size)) return undefined
    const dataEnd = lineEnd + 2 + size
    if (size === 0) return endOfTrailers(bytes, dataEnd)
    if (bytes.slice(dataEnd, dataEnd + 2) !== '\r\n') return undefined
    at = dataEnd + 2
  }
}

function endOfTrailers(bytes: string, from: number): number | undefined {
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    if (lineEnd === at) return lineEnd + 2
    if (!fieldLine.test(bytes.slice(at, lineEnd))) return undefined
    at = lineEnd + 2
  }
}

/** Whether a request may begin at byte `at`: everything before it is whole requests. */
export function mayBeginAt(bytes: string, at: number): boolean {
  for (let from = 0; from < at; ) {
    const end = endOfRequest(bytes.slice(from))
    if (end === undefined) return false
    from += end
    if (from <= at && /^[\r\n]*$/.test(bytes.slice(from, at))) return true
  }
  return false
}
