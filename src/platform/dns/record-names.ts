/** Owner names and target names of records. */
import { domainToASCII } from 'node:url'
import { isAddress, isAtOrBelow } from '../../lib/names/domain-name.ts'

/** The problem with a field, to follow its name. */
export type Problem = { problem: string }

/** RFC 1035, section 2.3.4: 255 bytes with the lengths of the labels and the root's. */
const maxBytes = 253

/** Wider than a host's (RFC 1123, section 2.1) by the underscore of services, keys and proofs (RFC 8552). */
const label = /^[a-z0-9_-]{1,63}$/

/**
 * Parses the owner name of a record, relative to its zone: `@` for the apex, labels in any case and script,
 * `*` as the first label (RFC 4592, section 2.1.1). With a trailing dot it is absolute.
 * @returns the absolute name.
 */
export function readRecordName(text: string, zone: string): string | Problem {
  if (text === '@') return zone
  const [first = '', ...others] = text.replace(/\.$/, '').split(dots)
  const rest = others.map(readLabel)
  const labels = [first === '*' ? '*' : readLabel(first), ...rest]
  if (text.includes('*') && (first !== '*' || text.lastIndexOf('*') > 0)) {
    return { problem: 'must have * only as its first label, alone: *, *.shop' }
  }
  if (!labels.every((each) => each === '*' || label.test(each))) {
    return {
      problem: 'must be @ for the domain itself, or labels of letters, digits, - and _: www, _dmarc, *',
    }
  }
  const name = labels.join('.')
  if (text.endsWith('.')) {
    if (!isAtOrBelow(name, zone)) return { problem: `is not at or below ${zone}` }
    return checkLength(name)
  }
  if (isAtOrBelow(name, zone)) {
    return {
      problem: `is relative to ${zone}: write ${relativeName(name, zone)}, or ${name}. with a dot at the end`,
    }
  }
  return checkLength(`${name}.${zone}`)
}

/** `www` for `www.example.com` in `example.com`, and `@` for that itself. */
export function relativeName(fqdn: string, zone: string): string {
  return fqdn === zone ? '@' : fqdn.slice(0, -zone.length - 1)
}

/**
 * Parses a target name: always absolute, in any case and script, with or without the trailing dot.
 * @returns the name in canonical form.
 */
export function readTarget(text: string): string | Problem {
  const typed = text.replace(/\.$/, '')
  if (isAddress(typed)) {
    return { problem: 'must be a name; for addresses use A and AAAA records' }
  }
  const labels = typed.split(dots).map(readLabel)
  if (!labels.every((each) => label.test(each))) {
    return { problem: 'must be only a host name, such as www.example.com: no scheme, port or path' }
  }
  if (labels.length === 1) {
    return { problem: 'must be an absolute name, such as www.example.com: it is not relative to the domain' }
  }
  return checkLength(labels.join('.'))
}

/** Characters that UTS 46 treats as a dot. */
const dots = /[.\u3002\uff0e\uff61]/u

const ascii = /^[!-~]*$/

/** The label in lower case, converted by IDNA (RFC 5891) if it isn't ASCII; invalid labels stay invalid. */
function readLabel(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  if (text.length > maxBytes || !/^[\p{L}\p{M}\p{N}_-]+$/u.test(text)) return ''
  // Below a top level, so that digits of another script aren't parsed as an address.
  return domainToASCII(`${text}.a`).slice(0, -2)
}

function checkLength(name: string): string | Problem {
  if (name.length <= maxBytes) return name
  return {
    problem: `must not make a name of more than ${maxBytes} characters: ${name.length} with the domain`,
  }
}
