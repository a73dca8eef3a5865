/** Reads the XML documents of S3. */
import { parseXml, XmlElement } from '@rgrove/parse-xml'

export type Xml = {
  /** The text of the first child of that name. */
  text(name: string): string | undefined
  /** The children of that name. */
  all(name: string): Xml[]
}

/** The root element; undefined for what isn't XML, such as a proxy's page. */
export function readXml(text: string): Xml | undefined {
  try {
    const { root } = parseXml(text)
    return root === null ? undefined : view(root)
  } catch {
    return undefined
  }
}

function view(element: XmlElement): Xml {
  const children = element.children.filter((child) => child instanceof XmlElement)
  const named = (name: string) => children.filter((child) => child.name === name)
  return {
    text: (name) => named(name)[0]?.text,
    all: (name) => named(name).map(view),
  }
}

/** `text` as character data. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}
