/** For every test: what is drawn at random is the same at each run, so that what fails today fails tomorrow. */
import fc from 'fast-check'

fc.configureGlobal({ seed: 20_261_121 })
