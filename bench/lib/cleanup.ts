/** Cleanup steps of the bench, which run in reverse order at its end, on failure and on Ctrl-C. */
const steps: (() => unknown)[] = []

/** Registers a step. Returns a function that removes it, for a process that has ended by itself. */
export function onEnd(step: () => unknown): () => void {
  steps.push(step)
  return () => {
    const index = steps.indexOf(step)
    if (index !== -1) steps.splice(index, 1)
  }
}

export async function cleanUp(): Promise<void> {
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step()
    } catch (error) {
      console.error(error)
    }
  }
}
