const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/** How long a frame is shown: whoever draws more often draws the same again. */
export const frameMs = 125;

/** Returns how something that goes on looks at this moment. */
export function spinnerFrame(): string {
  return frames[Math.floor(performance.now() / frameMs) % frames.length] ?? "";
}
