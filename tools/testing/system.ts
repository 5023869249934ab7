/** Filled below. */
export default function step(): void {}
