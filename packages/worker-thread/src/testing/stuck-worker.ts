/** Is never ready. */
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)

export {}
