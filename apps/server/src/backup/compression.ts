/**
 * Compression of archives: chosen by the file's name when writing, detected by the first bytes when
 * reading.
 */
import type { Duplex } from 'node:stream'
import { constants, createGunzip, createGzip, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { BackupRefusal } from './refusal.ts'

export type Compression = 'zst' | 'gz'

/** `-` is a pipe. @throws BackupRefusal for another ending */
export function compressionOf(file: string): Compression {
  if (file === '-' || /\.(tar\.zst|tzst)$/.test(file)) return 'zst'
  if (/\.(tar\.gz|tgz)$/.test(file)) return 'gz'
  throw new BackupRefusal(`The archive's name ends in .tar.zst or .tar.gz, not as ${file} does.`)
}

export const compressor = (compression: Compression): Duplex =>
  compression === 'gz'
    ? createGzip()
    : // zstd detects flipped bits only with its checksum; gzip always has one.
      createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })

/** @throws BackupRefusal */
export function decompressorFor(firstBytes: Buffer): Duplex {
  if (firstBytes.subarray(0, 4).toString('hex') === '28b52ffd') return createZstdDecompress()
  if (firstBytes.subarray(0, 2).toString('hex') === '1f8b') return createGunzip()
  throw new BackupRefusal('This is no archive of a board: it is neither .tar.zst nor .tar.gz.')
}
