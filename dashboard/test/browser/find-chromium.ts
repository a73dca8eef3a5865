/** Where Chromium is. */
import { existsSync } from 'node:fs'

/** First the one without windows of its own, which cost as much time again. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The path of the program; undefined where it isn't installed. `CHROME_PATH` names another. */
export function chromiumPath(): string | undefined {
  return [process.env.CHROME_PATH, ...places].find((path) => path !== undefined && existsSync(path))
}
