/** Answers a proxy that obtains certificates on demand: for which names it may. */
import type { Reply } from './reply.ts'

export type ServesDomain = (name: string) => Promise<boolean>

/** 200 where the name of the one `domain` in `query` is served, else 404. */
export async function answerTlsAsk(query: URLSearchParams, servesDomain: ServesDomain): Promise<Reply> {
  const [name, ...others] = query.getAll('domain')
  if (!name || others.length > 0) return { status: 400, text: 'Give one name as ?domain=<name>.' }
  return (await servesDomain(name))
    ? { status: 200, text: 'This name is served here.' }
    : { status: 404, text: 'This name is not served here.' }
}
