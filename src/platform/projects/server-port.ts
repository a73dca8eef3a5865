/** The port of servers, in their variable `PORT`. */
export const serverPort = 3_000
