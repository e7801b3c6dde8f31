/** Why a backup or restore is impossible, in one line for the operator. */
export class BackupRefusal extends Error {}
