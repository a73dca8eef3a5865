/** Looks up the user's own API key. */
import type { RouterOutputs } from '../../api/client/index.ts'
import type { Api } from './connect.ts'
import { everyPage } from './every-page.ts'

export type OwnKey = RouterOutputs['tokens']['listKeys']['data'][number]

/** The entry of `token` in the list of keys; undefined if the list doesn't contain it. */
export async function whoHas(api: Api, token: string): Promise<OwnKey | undefined> {
  for await (const key of everyPage((cursor) => api.tokens.listKeys.query({ limit: 100, ...cursor }))) {
    if (token.startsWith(key.prefix.replace(/…$/, ''))) return key
  }
  return undefined
}
