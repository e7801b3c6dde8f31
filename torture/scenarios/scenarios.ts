import type { Scenario } from '../lib/scenario.ts'
import { kills } from './kills.ts'

/** In the order of the report. */
export const SCENARIOS: readonly Scenario[] = [kills]
