/** Whose other devices are told of what changes in this browser. */
let memberId: string | null = null

/** From now on changes are queued for the other devices of this member; null for none. */
export const queueChangesFor = (member: string | null): void => {
  memberId = member
}

export const followedMember = (): string | null => memberId
