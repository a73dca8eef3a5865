/**
 * Makes what nodes serve of an export: `node finish.mjs <export> <directory> <digest of its sources>`.
 *
 * Files become objects, named by their digest and compressed beside, and `manifest.json` lists them by path.
 * Objects are complete before the manifest is replaced, at once, and those of the manifest before stay: a
 * node never mixes two builds, and a tab that is open finds the scripts of its own.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import mime from 'mime'
import { isReservedLabel, isReservedPath } from '../../dist/lib/names/reserved-labels.js'

const [exported, directory, builtFrom] = process.argv.slice(2)

/** Smaller files fit into a packet or two uncompressed. */
const minEncodedBytes = 256

const compress = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  gzip: (bytes) => gzipSync(bytes, { level: 9 }),
}

/** The policy of files that are no pages; workers that are started from one of them are bound by it. */
const assetPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const objects = join(directory, 'objects')
const manifestFile = join(directory, 'manifest.json')

mkdirSync(objects, { recursive: true })
const before = readManifest()
const files = Object.fromEntries(namesIn(exported).map((name) => [name, store(name)]))
writeWhole(manifestFile, JSON.stringify({ builtFrom, files, previous: previousOf(before, files) }))
removeUnused([before.files, before.previous, files])

/** Paths with `/` between their segments, sorted. */
function namesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const names = entries.map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
  if (!names.includes('index.html')) throw new Error(`${folder} has no index.html: it is no export.`)
  for (const name of names) refuseTeam(name)
  return names.map((name) => name.split(sep).join('/')).sort()
}

/** A page at the top whose name a team may have would hide that team's. */
function refuseTeam(name) {
  const slug = /^([a-z0-9-]+)\.(html|txt)$/.exec(name)?.[1]
  if (slug === undefined || isReservedPath(slug) || isReservedLabel(slug)) return
  throw new Error(`A team can be named ${slug}: add it to src/lib/names/reserved-labels.ts.`)
}

/** Stores a file and its compressed variants; returns its entry of the manifest. */
function store(name) {
  const bytes = readFileSync(join(exported, name))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const type = typeOf(name)
  writeObject(sha256, () => bytes)
  const encoded = /^(text\/|application\/(json|xml|manifest|wasm)|image\/svg)/.test(type)
    ? encode(sha256, bytes)
    : {}
  return { sha256, size: bytes.length, type, csp: policyOf(name, bytes), encoded }
}

/** Next.js reads its payloads, `.txt`, as plain text. */
function typeOf(name) {
  const type = mime.getType(name) ?? 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** The lengths of the variants that are smaller than the file. */
function encode(sha256, bytes) {
  if (bytes.length < minEncodedBytes) return {}
  const lengths = Object.entries(compress).map(([coding, compressed]) => [
    coding,
    writeObject(`${sha256}.${coding}`, () => compressed(bytes)),
  ])
  return Object.fromEntries(lengths.filter(([, length]) => length < bytes.length))
}

/** Pages run the scripts that are in them, by digest, and those of their own origin. */
function policyOf(name, bytes) {
  if (!name.endsWith('.html')) return assetPolicy
  const scripts = bytes.toString().matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)
  const digests = [...scripts].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(digests)].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The hashed files of the build before that this one lacks; of the one before that where they are the same.
 */
function previousOf({ files: old, previous }, now) {
  const gone = Object.entries(old).filter(([name]) => name.startsWith('_next/static/') && !(name in now))
  return gone.length > 0 ? Object.fromEntries(gone) : previous
}

/** The manifest that is there; an empty one at the first time. */
function readManifest() {
  return existsSync(manifestFile)
    ? JSON.parse(readFileSync(manifestFile, 'utf8'))
    : { files: {}, previous: {} }
}

/** Writes an object unless it exists; returns its length. */
function writeObject(name, bytesOf) {
  const path = join(objects, name)
  if (!existsSync(path)) writeWhole(path, bytesOf())
  return readFileSync(path).length
}

/** At once, so that no interruption leaves a part of it under its name. */
function writeWhole(path, bytes) {
  writeFileSync(`${path}.new`, bytes)
  renameSync(`${path}.new`, path)
}

/** Removes objects that no file of these lists has. */
function removeUnused(lists) {
  const used = new Set(lists.flatMap((list) => Object.values(list).map(({ sha256 }) => sha256)))
  for (const name of readdirSync(objects)) {
    if (!used.has(name.slice(0, 64)) || name.endsWith('.new')) rmSync(join(objects, name))
  }
}
