/** Why a backup or restore cannot be made, in one line for the operator. */
export class BackupRefusal extends Error {}
