/**
 * The least that can be done: `node:http` with the file's bytes and header fields at hand. Arguments: file,
 * fields.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file, fields] = process.argv.slice(2)
const bytes = readFileSync(file)
const headers = JSON.parse(fields)

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
