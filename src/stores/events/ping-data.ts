/** The data of a test event: of an address the host alone, since its path may be a secret of the receiver. */
import { z } from 'zod'
import { parseUrl } from '../../lib/names/parse-url.ts'

/** @param url empty where a format keeps it secret as a whole */
export function pingData(id: string, url: string): { webhook: { id: string; url: string } } {
  return { webhook: { id, url: withoutPath(url) } }
}

const pingSchema = z.object({ webhook: z.object({ id: z.string(), url: z.string() }) })

/** Data as it is stored, of which earlier versions kept the whole address of a test event. */
export function shownData(type: string, data: unknown): unknown {
  if (type !== 'webhook.ping') return data
  const { data: known } = pingSchema.safeParse(data)
  return known ? pingData(known.webhook.id, known.webhook.url) : data
}

function withoutPath(url: string): string {
  return parseUrl(url)?.origin ?? ''
}
