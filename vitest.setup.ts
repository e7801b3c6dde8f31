/** For every test: random data has a fixed seed, so that a failure can be reproduced. */
import fc from 'fast-check'

fc.configureGlobal({ seed: 20_261_121 })
