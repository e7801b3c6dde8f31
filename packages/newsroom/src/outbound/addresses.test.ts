import { describe, expect, it } from 'vitest'
import { problemOf } from '../testing/news-problem.ts'
import { isPublicAddress, OPEN_DOOR, parseAddress, PUBLIC_DOOR } from './addresses.ts'

describe('isPublicAddress', () => {
  it.each([
    ...['8.8.8.8', '93.184.215.14', '172.15.0.1', '172.32.0.1', '100.63.0.1', '2001:4860:4860::8888', '2400:cb00::1'],
    ...['2400:cb00::5eff:10.0.0.1', '2400:cb00::1:5efe:a00:1'],
  ])('accepts the public address %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ...['127.0.0.1', '127.8.9.1', '0.0.0.0', '0.1.2.3', '::', '::1', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '100.64.0.1', '198.18.0.1', 'fc00::1', 'fd12::1', 'fec0::1', '169.254.169.254', 'fe80::1'],
    ...['fe80::1%eth0', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192', '224.0.0.1'],
    ...['255.255.255.255', '240.0.0.1', 'ff02::1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1'],
    '3fff::1',
    // Addresses that contain an IPv4 address: mapped, compatible, translated, NAT64 (both), 6to4,
    // Teredo, ISATAP.
    ...['::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1'],
    ...['2002:7f00:1::', '2001:0:7f00:1::', '2400:cb00::5efe:10.0.0.1', '2400:cb00::200:5efe:7f00:1'],
    ...['4000::1', '1::1', 'news.example', '', '127.1', '0x7f.1', '2130706433'],
  ])('refuses the address %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('parseAddress', () => {
  it.each(['https://news.example/a?b=1', 'http://news.example:80/', 'http://news.example:443/', 'https://8.8.8.8/'])(
    'accepts %s',
    async (text) => {
      expect(parseAddress(text, PUBLIC_DOOR).href).toBe(new URL(text).href)
    },
  )

  it.each([
    ...['http://127.0.0.1/', 'http://0x7f.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://127.1/'],
    ...['http://①②⑦.0.0.1/', 'http://127.0.0.1./', 'http://[::ffff:127.0.0.1]/', 'http://[::1]/'],
    ...['http://[fd00::1]/', 'http://169.254.169.254/meta', 'http://news.example:22/', 'https://news.example:8443/'],
    'http://8.8.8.8:6379/',
  ])('refuses %s by default, and accepts it when private addresses are allowed', async (text) => {
    expect(await problemOf(() => parseAddress(text, PUBLIC_DOOR))).toBe('refused_address')
    expect(parseAddress(text, OPEN_DOOR).href).toBe(new URL(text).href)
  })

  it.each([
    ...['file:///etc/passwd', 'ftp://news.example/', 'gopher://news.example/', 'data:text/html,x', 'javascript:0'],
    ...['about:blank', 'http://kaede:secret@news.example/', 'http://kaede@news.example/', 'nonsense', '', 'http://'],
    '/a',
  ])('refuses %s even when private addresses are allowed', async (text) => {
    expect(await problemOf(() => parseAddress(text, OPEN_DOOR))).toBe('refused_address')
  })
})
