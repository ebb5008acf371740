package dev.stowage.allocator.stripe;

import java.util.function.Supplier;
import java.util.stream.Stream;

/** The stripes of a cache, and the stripe of each thread. Safe for use by many threads. */
public final class CacheStripes {

  /*
   * Threads with different stripes share no cache line. At first, the stripe of a thread depends on
   * its id. If the thread finds the stripe locked, it takes another stripe and stays there, so that
   * two threads do not meet at each request. The choices are not synchronized: a choice that a
   * thread does not see costs time only.
   */

  private static final int MAX_STRIPES = 128;

  /** The choices of stripes; threads share one if their ids differ by a multiple of this number. */
  private static final int CHOICES = 256;

  /** No stripes. */
  public static final CacheStripes NONE = new CacheStripes(new CacheStripe[0]);

  private final CacheStripe[] stripes;

  /** The index of the stripe of each thread. */
  private final char[] chosen = new char[CHOICES];

  private CacheStripes(CacheStripe[] stripes) {
    this.stripes = stripes;
    for (int thread = 0; thread < CHOICES; thread++) {
      chosen[thread] = (char) (thread & (stripes.length - 1));
    }
  }

  /**
   * {@return empty stripes: a power of two, at least two for each processor}
   *
   * @param newStripe creates a stripe without chunks
   */
  public static CacheStripes of(Supplier<CacheStripe> newStripe) {
    int processors = Runtime.getRuntime().availableProcessors();
    int count = Math.min(MAX_STRIPES, 2 * Integer.highestOneBit(2 * processors - 1));
    return new CacheStripes(Stream.generate(newStripe).limit(count).toArray(CacheStripe[]::new));
  }

  /** {@return the number of stripes} */
  public int count() {
    return stripes.length;
  }

  /** {@return the stripe of an index} */
  public CacheStripe get(int index) {
    return stripes[index];
  }

  private static int thread() {
    return (int) Thread.currentThread().threadId() & (CHOICES - 1);
  }

  /** {@return the index of the stripe of this thread} */
  public int ofThread() {
    return chosen[thread()];
  }

  /** Locks a stripe, if possible the thread's own, and {@return its index} */
  public int holdFree() {
    int thread = thread();
    int index = chosen[thread];
    return stripes[index].tryHold() ? index : holdOther(thread);
  }

  private int holdOther(int thread) {
    int first = chosen[thread];
    for (int i = 1; i < stripes.length; i++) {
      int index = (first + i) & (stripes.length - 1);
      if (stripes[index].tryHold()) {
        chosen[thread] = (char) index;
        return index;
      }
    }
    stripes[first].hold();
    return first;
  }
}
