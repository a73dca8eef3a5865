/** Reads the form of a page (URL Standard, section 5): the only bodies that the edge reads. */
import type { IncomingMessage } from 'node:http'

const maxBytes = 8 * 1024

/** The fields; undefined for another type, too many bytes, and a client that left or was too slow. */
export function readForm(req: IncomingMessage): Promise<URLSearchParams | undefined> {
  const type = req.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maxBytes) chunks.push(chunk)
      else {
        chunks.length = 0
        resolve(undefined)
      }
    })
    req.once('end', () => resolve(new URLSearchParams(Buffer.concat(chunks).toString('utf8'))))
    req.once('error', () => resolve(undefined))
    req.once('close', () => resolve(undefined))
  })
}
