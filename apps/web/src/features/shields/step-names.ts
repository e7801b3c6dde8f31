/** Names of the steps of raid mode, in the order of SHIELD_STEPS. */
export const STEP_NAMES = ['平常', '間をあける', '自動の確認', '確認待ち', '停止'] as const
