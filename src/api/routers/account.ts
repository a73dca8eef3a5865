/** The caller's account, for first-party programs: RPC only. */
import { z } from 'zod'
import { requireSession } from '../../platform/callers/require-session.ts'
import { accountSchema, getAccount, userSchema } from '../../platform/people/account.ts'
import { changePassword } from '../../platform/people/change-password.ts'
import { addPasskey, startPasskey } from '../../platform/people/passkeys/add.ts'
import {
  addPasskeyInput,
  removePasskeyInput,
  renamePasskeyInput,
} from '../../platform/people/passkeys/passkey-input.ts'
import {
  addedSchema,
  creationOptionsSchema,
  passkeySchema,
  requestOptionsSchema,
} from '../../platform/people/passkeys/passkey-output.ts'
import {
  listPasskeys,
  removePasskey,
  renamePasskey,
  startProof,
} from '../../platform/people/passkeys/passkeys.ts'
import {
  changePasswordInput,
  sessionReference,
  updateAccountInput,
} from '../../platform/people/person-input.ts'
import { renamePerson } from '../../platform/people/rename.ts'
import { requestProof } from '../../platform/people/request-proof.ts'
import {
  confirmFactor,
  renewRecoveryCodes,
  startFactor,
  stopFactor,
} from '../../platform/people/second-factor/enrol.ts'
import { confirmFactorInput, proofInput } from '../../platform/people/second-factor/second-factor-input.ts'
import {
  factorSchema,
  recoveryCodesSchema,
  startedSchema,
} from '../../platform/people/second-factor/second-factor-output.ts'
import { endedSchema, sessionSchema } from '../../platform/people/session-output.ts'
import { endOtherSessions, endSessionById, listSessions } from '../../platform/people/sessions.ts'
import { deleted } from '../../stores/db/record-fields.ts'
import { procedure, router } from '../trpc/init.ts'

export const accountRouter = router({
  get: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(z.strictObject({}))
    .output(accountSchema)
    .query(({ ctx: { services, principal } }) => getAccount(services, principal)),

  update: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(updateAccountInput)
    .output(userSchema)
    .mutation(({ ctx: { services, principal }, input }) =>
      renamePerson(services.store, requireSession(principal), input.name),
    ),

  proveAddress: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(z.strictObject({}))
    .output(z.object({ email: z.string() }))
    .mutation(({ ctx: { services, principal } }) => requestProof(services, requireSession(principal).userId)),

  changePassword: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(changePasswordInput)
    .output(endedSchema)
    .mutation(({ ctx: { services, principal, address }, input }) =>
      changePassword(services, { ...requireSession(principal), address }, input),
    ),

  startSecondFactor: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(proofInput)
    .output(startedSchema)
    .mutation(({ ctx: { services, principal, address }, input }) =>
      startFactor(services, { ...requireSession(principal), address }, input),
    ),

  confirmSecondFactor: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(confirmFactorInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx: { services, principal }, input }) =>
      confirmFactor(services, requireSession(principal), input.code),
    ),

  renewRecoveryCodes: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(proofInput)
    .output(recoveryCodesSchema)
    .mutation(({ ctx: { services, principal, address }, input }) =>
      renewRecoveryCodes(services, { ...requireSession(principal), address }, input),
    ),

  stopSecondFactor: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(proofInput)
    .output(factorSchema)
    .mutation(({ ctx: { services, principal, address }, input }) =>
      stopFactor(services, { ...requireSession(principal), address }, input),
    ),

  passkeys: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(z.strictObject({}))
    .output(z.object({ data: z.array(passkeySchema) }))
    .query(({ ctx: { services, principal } }) => listPasskeys(services.store, requireSession(principal))),

  startPasskey: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(proofInput)
    .output(creationOptionsSchema)
    .mutation(({ ctx: { services, principal, address }, input }) =>
      startPasskey(services, { ...requireSession(principal), address }, input),
    ),

  addPasskey: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(addPasskeyInput)
    .output(addedSchema)
    .mutation(({ ctx: { services, principal, agent }, input }) =>
      addPasskey(services, { ...requireSession(principal), agent }, input),
    ),

  renamePasskey: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(renamePasskeyInput)
    .output(passkeySchema)
    .mutation(({ ctx: { services, principal }, input }) =>
      renamePasskey(services.store, requireSession(principal), input),
    ),

  removePasskey: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(removePasskeyInput)
    .output(factorSchema)
    .mutation(({ ctx: { services, principal, address }, input }) =>
      removePasskey(services, { ...requireSession(principal), address }, input),
    ),

  startPasskeyProof: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(z.strictObject({}))
    .output(requestOptionsSchema)
    .mutation(({ ctx: { services, principal } }) => startProof(services, requireSession(principal))),

  sessions: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(z.strictObject({}))
    .output(z.object({ data: z.array(sessionSchema) }))
    .query(({ ctx: { services, principal } }) =>
      listSessions({ db: services.store.db, nowMs: services.nowMs() }, requireSession(principal)),
    ),

  endSession: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(sessionReference)
    .output(deleted('session'))
    .mutation(({ ctx: { services, principal }, input }) =>
      endSessionById(services.store, requireSession(principal), input.id),
    ),

  endOtherSessions: procedure
    .meta({ role: 'member', ofPerson: true, limited: 'same' })
    .input(z.strictObject({}))
    .output(endedSchema)
    .mutation(({ ctx: { services, principal } }) =>
      endOtherSessions(services.store, requireSession(principal)),
    ),
})
