/** Domain names in canonical form: lower case, ASCII (IDNA), no trailing dot. */
import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { getDomain } from 'tldts'
import { toNfc } from './nfc.ts'

/** A registrable name, or one below it; `registrable` is the registrable part. */
export type DomainName = { domain: string; registrable: string }

const maxBytes = 253

/**
 * The longest name as typed, in UTF-16 code units: a character may have been several. Converting one to ASCII
 * takes time with the square of its length.
 */
const maxTyped = 4 * maxBytes

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Parses a name as typed: any case, any script, with or without the trailing dot. Both sections of the public
 * suffix list count, and an unlisted top level is a suffix (its rule `*`).
 * @returns the problem, to follow the name of a field, if it is no registrable name.
 */
export function readDomainName(text: string): DomainName | { problem: string } {
  if (text.includes('*'))
    return { problem: 'must not be a wildcard: claim the name itself, which covers all names below' }
  const read = readLabels(text)
  if ('problem' in read) return read
  const domain = read.host
  const registrable = registrableOf(domain)
  if (registrable === undefined) {
    return {
      problem: `${domain} is a public suffix, open to registration: claim a name below it`,
    }
  }
  return { domain, registrable }
}

/**
 * Whether a label can be part of a name. One that claims to be encoded has to be what its characters are
 * encoded as (RFC 5890, section 2.3.2.1); Node 24 no longer checks that.
 */
function isLabel(text: string): boolean {
  if (!label.test(text)) return false
  if (!text.startsWith('xn--')) return true
  const characters = domainToUnicode(text)
  return characters !== text && domainToASCII(characters) === text
}

/** Parses a host name in the same way; some hosts are public suffixes. */
export function readHostName(text: string): { host: string } | { problem: string } {
  const read = readLabels(text)
  return 'problem' in read || read.host.includes('.') ? read : { problem: notAName }
}

const notAName = 'must be a domain name such as example.com'

function readLabels(text: string): { host: string } | { problem: string } {
  if (text.length > maxTyped) return { problem: notAName }
  const typed = toNfc(text).replace(/\.$/, '')
  if (isAddress(typed)) return { problem: 'must be a domain name, not an address' }
  // The URL parser would interpret characters around a name.
  const host = /^[\p{L}\p{M}\p{N}.。．｡-]+$/u.test(typed) ? domainToASCII(typed) : ''
  if (host === '' || host.length > maxBytes || !host.split('.').every(isLabel)) {
    return { problem: notAName }
  }
  if (isAddress(host)) return { problem: 'must be a domain name, not an address' }
  if (domainToUnicode(host).split('.').some(mixesScripts)) {
    return {
      problem: 'mixes letters of similar-looking scripts in one label',
    }
  }
  return { host }
}

/** The registrable domain at or above a normalized name; undefined for a public suffix. */
export function registrableOf(domain: string): string | undefined {
  return (
    getDomain(domain, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) ??
    undefined
  )
}

/** `a.b.example.com`, `b.example.com`, `example.com`: the name and its parents, down to `top`. */
export function selfAndAbove(domain: string, top: string): string[] {
  const names = [domain]
  for (let rest = domain; rest !== top && rest.includes('.'); ) {
    rest = rest.slice(rest.indexOf('.') + 1)
    names.push(rest)
  }
  return names
}

/** `www.example.com` gives `com.example.www`, so that the names below a name are a range. */
export function reverseName(domain: string): string {
  return domain.split('.').reverse().join('.')
}

/** Whether `name` is `domain` or below it. */
export function isAtOrBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`)
}

/**
 * Whether text is an IP address, or something that some programs parse as one: `127.1`, `0x7f.1`; no top
 * level is a number.
 */
export function isAddress(text: string): boolean {
  return isIP(text.replace(/^\[|\]$/g, '')) !== 0 || /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/i.test(text)
}

const scripts = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Cherokee',
  'Hebrew',
  'Arabic',
  'Thai',
  'Georgian',
].map((name) => new RegExp(`\\p{Script=${name}}`, 'u'))

/** Unicode Technical Standard 39, section 5.2, for the scripts that can be confused with each other. */
function mixesScripts(text: string): boolean {
  return scripts.filter((script) => script.test(text)).length > 1
}
