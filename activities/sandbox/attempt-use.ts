/**
 * Which attempts this process works on. An activity holds its attempt; what nobody holds may be removed, and who comes
 * during a removal waits for its end. One process at a time works on a data folder, so this is all it takes.
 */
export class AttemptUse {
  private readonly holders = new Map<string, number>();
  private readonly removals = new Map<string, Promise<unknown>>();
  /** Removals that still make sure; told when their attempt is taken up meanwhile. */
  private readonly doubts = new Set<{ readonly attemptId: string; takenUp: boolean }>();

  /** Holds the attempt over `work`; several may hold one. */
  async hold<T>(attemptId: string, work: () => Promise<T>): Promise<T> {
    for (let removal; (removal = this.removals.get(attemptId)) !== undefined;)
      await removal.catch(() => undefined);
    this.holders.set(attemptId, (this.holders.get(attemptId) ?? 0) + 1);
    for (const doubt of this.doubts) if (doubt.attemptId === attemptId) doubt.takenUp = true;
    try {
      return await work();
    } finally {
      const left = (this.holders.get(attemptId) ?? 1) - 1;
      if (left === 0) this.holders.delete(attemptId);
      else this.holders.set(attemptId, left);
    }
  }

  /**
   * Asks whether the attempt is dead, and removes it unless somebody holds it or has held it since the question.
   * Resolves to whether it was removed.
   */
  async removeIfDead(
    attemptId: string,
    isDead: () => Promise<boolean>,
    remove: () => Promise<void>,
  ): Promise<boolean> {
    const doubt = { attemptId, takenUp: false };
    this.doubts.add(doubt);
    try {
      if (!(await isDead())) return false;
      if (doubt.takenUp || this.holders.has(attemptId) || this.removals.has(attemptId))
        return false;
    } finally {
      this.doubts.delete(doubt);
    }
    const removal = remove();
    this.removals.set(attemptId, removal);
    try {
      await removal;
      return true;
    } finally {
      this.removals.delete(attemptId);
    }
  }
}
