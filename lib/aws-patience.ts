/**
 * How long one attempt to reach a service of AWS may take, milliseconds: to connect, to begin an answer, and between two
 * pieces of one. The SDK tries again after each. Without these it waits for as long as the other side keeps the socket.
 */
export const AWS_PATIENCE = {
  connectionTimeout: 1000,
  requestTimeout: 3000,
  socketTimeout: 3000,
  throwOnRequestTimeout: true,
};
