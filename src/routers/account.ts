/** The caller's account, for first-party programs: RPC only. */
import { z } from 'zod'
import { accountSchema, getAccount } from '../auth/account.ts'
import { procedure, router } from '../trpc/init.ts'

export const accountRouter = router({
  get: procedure
    .input(z.strictObject({}))
    .output(accountSchema)
    .query(({ ctx: { services, principal } }) => getAccount(services, principal)),
})
