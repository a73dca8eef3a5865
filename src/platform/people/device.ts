/** Names a device by the `User-Agent` of its browser, which may say anything: only known words are taken. */

type Known = [pattern: RegExp, name: string]

/** Most browsers also name those that they want to be taken for, so the order matters. */
const browsers: Known[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]

const systems: Known[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A readable name such as `Firefox on Linux`, from as much as is known. */
export function deviceOf(userAgent: string | null): string {
  const known = [browsers, systems].flatMap((names) => nameIn(names, userAgent ?? ''))
  return known.length === 0 ? 'Unknown device' : known.join(' on ')
}

function nameIn(names: Known[], text: string): string[] {
  const found = names.find(([pattern]) => pattern.test(text))
  return found ? [found[1]] : []
}
