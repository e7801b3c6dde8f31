/** What must not outlive the bench: stopped in reverse order at its end, on failure and on Ctrl-C. */
const steps: (() => unknown)[] = []

/** Registers a step. Returns a function that takes it back, for what has ended by itself. */
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
