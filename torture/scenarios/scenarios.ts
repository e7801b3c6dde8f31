import type { Scenario } from '../lib/scenario.ts'
import { kills } from './kills.ts'
import { powerCuts } from './power-cuts.ts'

/** In the order of the report. */
export const SCENARIOS: readonly Scenario[] = [kills, powerCuts]
