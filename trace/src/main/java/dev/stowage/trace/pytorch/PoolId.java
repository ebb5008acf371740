package dev.stowage.trace.pytorch;

/**
 * The id of a memory pool of PyTorch. Graphs of CUDA and programs have private pools.
 *
 * @param graph the first number, which counts pools of graphs
 * @param user the second number, which counts pools of programs
 */
public record PoolId(long graph, long user) {

  /** The id of the pool that is not private. */
  public static final PoolId SHARED = new PoolId(0, 0);

  /** {@return true if the pool is private} */
  public boolean isPrivate() {
    return !equals(SHARED);
  }
}
