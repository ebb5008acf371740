package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.PoolId;

/** The numbers of the memory pools of recordings in a {@link SimulatedAllocator}. */
public final class PoolNumber {

  /** The memory pool of requests outside private pools. */
  public static final long DEFAULT = 0;

  private PoolNumber() {}

  /**
   * {@return the number of a pool in a {@link SimulatedAllocator}}
   *
   * @param pool the pool
   */
  public static long of(PoolId pool) {
    return pool.isPrivate() ? pool.graph() << 32 | pool.user() : DEFAULT;
  }

  /** {@return the pool with a number, as {@link #of} defines it} */
  static PoolId pool(long number) {
    return number == DEFAULT ? PoolId.SHARED : new PoolId(number >>> 32, number & 0xffff_ffffL);
  }
}
