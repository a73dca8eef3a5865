/** Notices while the database takes none of their notes, since its disk is full. */
import { sql } from 'drizzle-orm'
import { expect, it, onTestFinished } from 'vitest'
import { createLogger } from '../../../../src/lib/log/logger.ts'
import type { Alert } from '../../../../src/platform/observability/alerts/alert.ts'
import type { Notice } from '../../../../src/platform/observability/notices/notice.ts'
import { createNotify } from '../../../../src/platform/observability/notices/notify.ts'
import { startOwnNode } from '../../../stores/db/own-node.ts'

const full: Alert = {
  name: 'disk_full',
  place: '/data',
  figure: 0,
  unit: 'free_bytes',
  isOfMachine: true,
  message: 'The disk of /data is full.',
}

it('are sent once all the same, and so is that it is over', async () => {
  const node = await startOwnNode()
  onTestFinished(() => node.stop())
  const { db } = node.installation.store
  const sent: string[] = []
  const notify = createNotify({
    db,
    send: async ({ items }: Notice) => {
      sent.push(...items.map(({ change, name }) => `${change} ${name}`))
      return undefined
    },
    machine: 'one',
    apiUrl: () => undefined,
    nowMs: Date.now,
    log: createLogger({ write() {} }),
  })
  await db.execute(sql`create function refuse() returns trigger language plpgsql as $$
    begin raise exception 'no space left on device' using errcode = '53100'; end $$`)
  await db.execute(sql`create trigger refuse before insert on operator_alerts
    for each row execute function refuse()`)
  for (let times = 0; times < 3; times += 1) await notify([full])
  expect(sent).toEqual(['begins disk_full'])
  await db.execute(sql`drop trigger refuse on operator_alerts`)
  await notify([])
  await notify([])
  expect(sent).toEqual(['begins disk_full', 'ends disk_full'])
})
