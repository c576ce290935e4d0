import fc from 'fast-check';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../core/public-address';

const isPrivate = (address: string) => !isPublicAddress(address);
/** An IPv4 address inside an IPv6 one, in hexadecimal groups. */
const inside = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};

describe('addresses that are not public', () => {
  it.each([
    ['this machine', ['0.0.0.0', '127.0.0.1', '127.255.255.254', '::', '::1']],
    ['private networks', ['10.0.0.5', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fd00::1']],
    ['shared by a carrier', ['100.64.0.1', '100.100.100.200', '100.127.255.255']],
    ['link-local, metadata services among them', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0']],
    ['a site, as once said', ['fec0::1']],
    ['protocols', ['192.0.0.1', '192.88.99.1', '2001::1', '2001:20::1', '2001:2::1', '5f00::1']],
    ['examples', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1']],
    ['a cloud’s hosts, metadata among them', ['168.63.129.16', '192.0.0.192', 'fd00:ec2::254']],
    ['benchmarks', ['198.18.0.1', '198.19.255.255']],
    ['many or nobody', ['224.0.0.1', '240.0.0.1', '255.255.255.255', 'ff02::1', '100::1']],
    [
      'no address',
      [
        '',
        'localhost',
        '127.1',
        '0x7f000001',
        '2130706433',
        '[::1]',
        '::1/128',
        '1.1.1.1.',
        '1.1.1',
        '01.1.1.1',
        '1.1.1.256',
        '2606:4700:::1',
        '2606:4700::1::1',
        '2606::12345',
        '1:2:3:4:5:6:7',
        '1:2:3:4:5:6:7:8:9',
        '1::2:3:4:5:6:7:8',
        '2606:1.1.1.1::1',
        '2606::1]:80/',
        ' 1.1.1.1',
      ],
    ],
  ])('are those of %s', (_title, addresses) => {
    expect(addresses.filter((address) => !isPrivate(address))).toEqual([]);
  });

  it('are not those of public hosts', () => {
    const addresses = ['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '192.0.1.1'];
    const six = ['2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1', '3ffe::1'];
    expect([...addresses, ...six].filter(isPrivate)).toEqual([]);
  });

  const PRIVATE = ['127.0.0.1', '10.1.2.3', '192.168.0.1', '169.254.169.254', '100.64.0.1'];
  const mapped = (address: string): string[] => [
    `::ffff:${address}`,
    `::ffff:${inside(address)}`,
    `0:0:0:0:0:FFFF:${inside(address)}`,
  ];
  const translated = (address: string): string[] => [
    `64:ff9b::${address}`,
    `64:ff9b::${inside(address)}`,
    `0064:FF9B:0:0:0:0:${inside(address)}`,
  ];
  it.each(PRIVATE)('are found in every form that carries %s', (address) => {
    const forms = [
      ...mapped(address),
      ...translated(address),
      // Translation of a network's own (RFC 8215), SIIT, compatible, 6to4, Teredo, ISATAP.
      `64:ff9b:1::${address}`,
      `64:ff9b:1:7f00:1::`,
      `::ffff:0:${address}`,
      `::${address}`,
      `2002:${inside(address)}::1`,
      `2001:0:4136:e378:8000:63bf:${inside(address)}`,
      `2606:4700::5efe:${address}`,
      `2606:4700::200:5efe:${inside(address)}`,
      `64:ff9b:0:1::${address}`,
    ];
    expect(forms.filter((form) => !isPrivate(form))).toEqual([]);
  });

  it('are as public as the address that a translator carries, and in no other form', () => {
    expect(translated('8.8.8.8').filter(isPrivate)).toEqual([]);
    expect(mapped('8.8.8.8').filter(isPublicAddress)).toEqual([]);
  });

  it('are addresses in the eyes of Node, where they are public', () => {
    const piece = fc.constantFrom(
      '2606',
      '4700',
      '0',
      'f',
      ':',
      '::',
      '.',
      '1',
      '8.8.8.8',
      '%',
      'g',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(isPublicAddress(text) && isIP(text) === 0).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are the same in every spelling', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
        const full = groups.map((group) => group.toString(16).padStart(4, '0')).join(':');
        const short = new URL(`http://[${full}]/`).hostname.slice(1, -1);
        expect(isPrivate(full.toUpperCase())).toBe(isPrivate(short));
      }),
    );
  });
});
