import type { Scenario } from '../lib/scenario.ts'
import { abuse } from './abuse.ts'
import { cluster } from './cluster.ts'
import { fewDescriptors } from './few-descriptors.ts'
import { fullDisk } from './full-disk.ts'
import { kills } from './kills.ts'
import { outages } from './outages.ts'
import { powerCuts } from './power-cuts.ts'
import { readOnly } from './read-only.ts'

/** In the order of the report. */
export const SCENARIOS: readonly Scenario[] = [
  kills,
  powerCuts,
  fullDisk,
  outages,
  readOnly,
  fewDescriptors,
  abuse,
  cluster,
]
