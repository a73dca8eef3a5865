import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createChannel } from '../../../../src/operate/node/processes/channel.ts'

type Service = {
  double(value: number): number | Promise<number>
  fail(message: string): Promise<never>
  note(text: string): void
}

/** Two ends of a channel whose messages travel as text. */
function createEnds() {
  const messages: string[] = []
  const noted: string[] = []
  const service: Service = {
    double: (value) => (value < 100 ? value * 2 : Promise.resolve(value * 2)),
    async fail(message) {
      throw new Error(message)
    },
    note: (text) => void noted.push(text),
  }
  const carry = (receive: (message: unknown) => void) => (message: object) => {
    const text = JSON.stringify(message)
    messages.push(text)
    setImmediate(() => receive(JSON.parse(text)))
  }
  const client = createChannel<Service>(
    {},
    carry((message) => server.receive(message)),
  )
  const server = createChannel<Record<string, never>>(
    service,
    carry((message) => client.receive(message)),
  )
  return { client, messages, noted }
}

it('requests of one turn of the event loop are one message, and so are the responses', async () => {
  const { client, messages, noted } = createEnds()
  client.notify('note', 'first')
  const doubled = Promise.all([1, 2, 3].map((value) => client.request('double', value)))
  client.notify('note', 'last')
  expect(await doubled).toEqual([2, 4, 6])
  expect(noted).toEqual(['first', 'last'])
  expect(messages).toHaveLength(2)
})

it('each request gets its own response, whenever that comes', async () => {
  const { client } = createEnds()
  expect(await Promise.all([100, 1].map((value) => client.request('double', value)))).toEqual([200, 2])
})

it('a request fails with the message of its handler', async () => {
  const { client } = createEnds()
  await expect(client.request('fail', 'The disk is full.')).rejects.toThrow('The disk is full.')
})

it('when the other process has ended, requests fail, and nothing is sent', async () => {
  const { client, messages } = createEnds()
  const pending = client.request('double', 1)
  client.close()
  await expect(pending).rejects.toThrow('ended')
  await expect(client.request('double', 1)).rejects.toThrow('ended')
  client.notify('note', 'never')
  await turn()
  expect(messages).toEqual([])
})
