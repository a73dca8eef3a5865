/** Registers a webhook at a forge: finds the one that is there, and writes it. */
import type { Forge } from '../../../stores/db/schema/project-repositories.ts'
import { forgeNames } from '../../projects/forge-names.ts'
import type { ForgeFetch } from '../api/forge-fetch.ts'
import { outcomeOf } from '../api/outcome.ts'
import { apiPlace } from '../api/repository-place.ts'
import { type ApiAnswer, createSend, parseAnswer } from '../api/send.ts'
import { type Hook, hookApi } from './hook-api.ts'

/** `why` is a sentence for whoever set the token up, and says nothing that the forge said. */
export type Refused = { why: string }

export type HookClient = {
  /** The number of the webhook that leads to this address; undefined where there is none. */
  find(url: string): Promise<{ id: number | undefined } | Refused>
  /** Makes a webhook, or changes the one with this number. Undefined where it worked. */
  put(id: number | undefined, hook: Hook): Promise<Refused | undefined>
}

type Options = {
  provider: Forge
  /** The web address of the repository, https. */
  url: string
  token: string
  fetch: ForgeFetch
  nowMs: () => number
  /** Ends what is under way. */
  signal: AbortSignal
}

/** The most pages of webhooks that are searched. */
const maxPages = 10

/** @throws AppError `invalid_input` for `url` or `token`. */
export function createHookClient({ provider, url, token, fetch, nowMs, signal }: Options): HookClient {
  const place = apiPlace({ provider, url, token })
  const api = hookApi(provider, place)
  const send = createSend({ place, fetch, signal })

  function refusalIn(answer: ApiAnswer): Refused | undefined {
    const outcome = outcomeOf(answer, { provider, thing: 'hook', nowMs: nowMs() })
    return outcome.result === 'done' ? undefined : { why: outcome.why }
  }

  return {
    async find(wanted) {
      for (let page = 1; page <= maxPages; page += 1) {
        const answer = await send(api.list(page))
        const refusal = refusalIn(answer)
        if (refusal) return refusal
        const listed = parseAnswer(answer, api.listed)
        if (!listed) return { why: 'The list of webhooks is not what the forge documents.' }
        const known = listed.hooks.find((hook) => hook.url === wanted)
        if (known || listed.isLast) return { id: known?.id }
      }
      return { why: `The repository has more webhooks than the ${maxPages} pages that are read.` }
    },
    async put(id, hook) {
      const answer = await send(id === undefined ? api.create(hook) : api.edit(id, hook))
      const isRefused = 'status' in answer && [400, 422].includes(answer.status)
      if (!isRefused) return refusalIn(answer)
      const why = `${forgeNames[provider]} refused the webhook: it has to be able to reach ${hook.url}`
      return { why: `Status ${answer.status}: ${why}.` }
    },
  }
}
