/** Examples of share links in the document of RPC. */
import type { z } from 'zod'
import type { newShareLinkInput } from '../../../platform/visitors/share-link-input.ts'
import type { ShareLinkRecord } from '../../../platform/visitors/share-link-output.ts'

export const newShareLinkExample: z.input<typeof newShareLinkInput> = { project: 'web' }

export const shareLinkExample: ShareLinkRecord = {
  id: 'lnk_019aa5d3b3208fd4e7a15c60b2938d4e',
  host: 'web.svc.example.com',
  created_by: 'usr_019aa5d1f0a47c3be2d95f8043b7a61c',
  created_by_name: 'Ada',
  created_ms: 1_790_000_000_000,
  expires_ms: 1_790_604_800_000,
  ended: null,
}
