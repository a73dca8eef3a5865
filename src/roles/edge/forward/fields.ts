/** Header fields as node:http has them raw: alternating names and values. */

/** Fields that concern one connection (RFC 9110, section 7.6.1), and are never passed on. */
const ofOneConnection = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export type Field = [name: string, value: string]

/**
 * The fields of a message that are meant for its last receiver, in order; without those of the connection,
 * whatever `Connection` names, and what HTTP/2 has in place of a request line.
 */
export function endToEnd(rawHeaders: readonly string[]): Field[] {
  const fields = fieldsOf(rawHeaders)
  const named = new Set(fields.filter(([name]) => keyOf(name) === 'connection').flatMap(optionsIn))
  return fields.filter(([name]) => {
    const key = keyOf(name)
    return !key.startsWith(':') && !ofOneConnection.has(key) && !named.has(key)
  })
}

/** The name by which a field is known. */
export function keyOf(name: string): string {
  return name.toLowerCase()
}

/** The fields of alternating names and values. */
export function fieldsOf(rawHeaders: readonly string[]): Field[] {
  const fields: Field[] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    fields.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? ''])
  return fields
}

function optionsIn([, value]: Field): string[] {
  return value.split(',').map((option) => keyOf(option.trim()))
}
