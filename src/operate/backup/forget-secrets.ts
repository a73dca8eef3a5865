/** Removes what only a lost encryption key could decrypt. */

import { newSecret } from '../../platform/webhooks/secret.ts'
import { deriveKey } from '../../stores/data-dir/encryption-key.ts'
import { seal } from '../../stores/data-dir/seal.ts'
import { checkOf } from './key.ts'
import type { Session } from './session.ts'

/**
 * Makes the database that of `key`: the values of variables, certificates of teams, apps for second factors,
 * and tokens and secrets of repositories are deleted, and webhooks disabled, with secrets that nobody knows.
 * Their owners have to create them again, except those of mails, of which only the links in older mails end.
 * Other certificates are ordered again.
 */
export async function forgetSecrets(session: Session, key: Buffer): Promise<void> {
  const webhookKey = deriveKey(key, 'webhooks')
  const found = await session.rows('select id from webhooks')
  const sealed = found.map(({ id }) => ({ id, sealed: seal(webhookKey, String(id), newSecret()) }))
  for (const table of ['project_env', 'branch_env']) await session.run(`delete from ${table}`)
  await session.run('update project_repositories set token_sealed = null, secret_sealed = null')
  await session.run("delete from certificates where source = 'own'")
  await session.run(
    `update certificates set chain = null, key_sealed = null, not_before_ms = null, not_after_ms = null,
      order_url = null, order_key_sealed = null, due_ms = 0, attempts = 0
    where error_reason is distinct from 'local_name'`,
  )
  for (const table of ['acme_accounts', 'ticket_keys']) await session.run(`delete from ${table}`)
  // Passkeys and the recovery codes beside them need no key.
  await session.run('delete from second_factors where user_id not in (select user_id from passkeys)')
  await session.run('update second_factors set secret_sealed = null, confirmed_ms = null')
  await session.run(
    `update sessions set proven_by = 'password'
    where proven_by in ('second_factor', 'passkey') and user_id not in (select user_id from second_factors)`,
  )
  await session.rows(
    `update webhooks set sealed_secret = made.sealed, enabled = enabled and format = 'mail',
      disabled_reason = case when format = 'mail' then disabled_reason else 'secret_lost' end
    from json_to_recordset($1::text::json) as made(id text, sealed text) where webhooks.id = made.id`,
    [JSON.stringify(sealed)],
  )
  await session.rows('update installation set encryption_check = $1', [checkOf(key)])
}
