import { privateHostOf } from '../../config/private-address';

describe('the private host of an address', () => {
  it.each([
    ['http://127.0.0.1:9471/v1', '127.0.0.1'],
    ['http://127.1/v1', '127.0.0.1'],
    ['http://10.0.0.5:8000/v1', '10.0.0.5'],
    ['http://[::1]:8000/v1', '::1'],
    ['http://LOCALHOST:11434/v1', 'localhost'],
    ['http://models.localhost/v1', 'models.localhost'],
    ['https://api.openai.com/v1', undefined],
    ['https://8.8.8.8/v1', undefined],
    ['https://localhost.example.com/v1', undefined],
    ['127.0.0.1:9471/v1', undefined],
  ])('of %s is %s', (baseUrl, host) => {
    expect(privateHostOf(baseUrl)).toBe(host);
  });
});
