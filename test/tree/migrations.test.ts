/**
 * Nodes of two versions run on one database during an upgrade: migrations only add, and hold up nobody for
 * long.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Allowed, problemsOf } from './migration-rules.ts'

/** Statements of migrations that are safe although a rule forbids them, and why. */
const allowed: Allowed = {
  'ALTER TABLE "projects" ALTER COLUMN "branch_addresses" SET DEFAULT true':
    'the version before has no such column, and its new projects are to have it on',
}

/** The first one that the rule is for: those before are in 0.1.0, except one. */
const firstRuled = '0026'

const migrations = readdirSync('drizzle').filter((name) => name.endsWith('.sql'))

const files = migrations.filter((name) => name >= firstRuled)

it('there are migrations to check', () => {
  expect(files).not.toEqual([])
})

it('the snapshot of the newest one is the only one: the next is compared with nothing else', () => {
  const [newest = ''] = migrations.toSorted().slice(-1)
  const snapshots = readdirSync('drizzle/meta').filter((name) => name !== '_journal.json')
  expect(snapshots).toEqual([`${newest.split('_', 1)[0]}_snapshot.json`])
})

it.each(files)('%s leaves the version before working', (file) => {
  expect(problemsOf(readFileSync(`drizzle/${file}`, 'utf8'), allowed)).toEqual([])
})

it.each([
  ['DROP TABLE "teams" CASCADE;'],
  ['DROP VIEW "powerdns"."records";'],
  ['DROP INDEX "teams_by_slug";'],
  ['ALTER TABLE "teams" DROP COLUMN "name";'],
  ['ALTER TABLE "teams" RENAME COLUMN "name" TO "title";'],
  ['ALTER TABLE "teams" RENAME TO "groups";'],
  ['ALTER TABLE "teams" ALTER COLUMN "name" SET NOT NULL;'],
  ['ALTER TABLE "teams" ALTER COLUMN "name" SET DATA TYPE integer;'],
  ['ALTER TABLE "teams" ALTER COLUMN "name" DROP DEFAULT;'],
  ['ALTER TABLE "teams" ADD COLUMN "city" text NOT NULL;'],
  ['CREATE INDEX "teams_by_name" ON "teams" USING btree ("name");'],
  ['CREATE UNIQUE INDEX "teams_by_name" ON "public"."teams" USING btree ("name");'],
  ['ALTER TABLE "teams" ADD CONSTRAINT "f" FOREIGN KEY ("a") REFERENCES "public"."b"("id");'],
  [
    'CREATE TABLE "a" ("id" text);--> statement-breakpoint\n' +
      'CREATE INDEX CONCURRENTLY "i" ON "teams" ("name");',
  ],
  ['CREATE TABLE "a" ("id" text);\nDROP TABLE "teams";'],
])('%s is refused', (text) => {
  expect(problemsOf(text)).toHaveLength(1)
  const statement = text.split(';')[0] ?? ''
  const last =
    text
      .split(/;\s*\n/)
      .at(-1)
      ?.replace(/;$/, '') ?? ''
  if (!text.includes('breakpoint'))
    expect(problemsOf(text, { [statement]: 'why', [last]: 'why' })).toEqual([])
})

it.each([
  ['ALTER TABLE "teams" ADD COLUMN "city" text;'],
  ['ALTER TABLE "teams" ADD COLUMN "city" text DEFAULT \'\' NOT NULL;'],
  ['CREATE TABLE "a" (\n\t"id" text NOT NULL\n);'],
  [
    'CREATE TABLE "a" ("id" text);--> statement-breakpoint\n' +
      'ALTER TABLE "a" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "public"."b"("id");' +
      '--> statement-breakpoint\nCREATE INDEX "i" ON "a" USING btree ("id");',
  ],
  ['CREATE INDEX CONCURRENTLY "i" ON "teams" USING btree ("name");'],
])('%s is fine', (text) => {
  expect(problemsOf(text)).toEqual([])
})
