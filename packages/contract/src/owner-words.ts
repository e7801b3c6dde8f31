/** Complaints about notes and reasons of openers (スレ主). Apart from the first script. */
import { required } from './complaints.ts'
import { messages } from './messages.ts'

export const ownerNoteWords = required(messages.owner_note_required, messages.owner_note_too_long)
export const ownerReasonWords = required(messages.owner_reason_required, messages.owner_reason_too_long)
