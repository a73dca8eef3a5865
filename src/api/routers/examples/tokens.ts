/** Examples of API keys and tokens in the document of the API. */
import type { z } from 'zod'
import type { createKeyInput } from '../../../platform/callers/credential-input.ts'
import type { KeyRecord, TokenRecord } from '../../../platform/callers/credential-output.ts'

export const keyExample: KeyRecord = {
  id: 'key_019aa5d3b3208fd4e7a15c60b2938d4e',
  name: 'deploy from CI',
  prefix: 'svc_Ab3dE6…',
  team: 'personal',
  role: 'member',
  created_ms: 1_790_000_000_000,
  last_used_ms: 0,
}

export const createKeyExample: z.input<typeof createKeyInput> = { name: 'deploy from CI', role: 'member' }

export const mintedTokenExample: TokenRecord = {
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6InN2Yytqd3QifQ.<claims>.<signature>',
  token_type: 'Bearer',
  team: 'personal',
  role: 'member',
  expires_ms: 1_790_028_800_000,
}
