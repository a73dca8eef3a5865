/** The caller's account, for first-party programs: RPC only. */
import { z } from 'zod'
import { accountSchema, getAccount } from '../../platform/auth/account.ts'
import { procedure, router } from '../trpc/init.ts'

export const accountRouter = router({
  get: procedure
    .meta({ role: 'member' })
    .input(z.strictObject({}))
    .output(accountSchema)
    .query(({ ctx: { services, principal } }) => getAccount(services, principal)),
})
