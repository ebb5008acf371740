package dev.stowage.stress;

import dev.stowage.allocator.AllocatorStatistics;
import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.allocator.internal.AllocatorInternals;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** An allocator with room for a few chunks of 256 bytes. Methods return numbers for jcstress. */
final class ContendedAllocator {

  /** No room. */
  static final int NONE = -1;

  /** A rejected call: a second free, or a closed allocator. */
  static final int REFUSED = -2;

  static final int INTERRUPTED = -3;

  /** A broken invariant. */
  static final int BROKEN = -9;

  /** A longer timeout than jcstress has, so that jcstress reports a lost request as an error. */
  static final Duration FOREVER = Duration.ofDays(1);

  /** About the time in which another thread allocates and frees. */
  static final Duration SHORT = Duration.ofNanos(2_000);

  /** A strong reference to the silenced logger of leaks, thousands of which occur each second. */
  static final Logger LEAKS = silent(BfcAllocator.class.getPackageName());

  private static Logger silent(String name) {
    Logger logger = Logger.getLogger(name);
    logger.setLevel(Level.OFF);
    return logger;
  }

  private final BfcAllocator allocator;

  private ContendedAllocator(BfcOptions options) {
    allocator = new BfcAllocator("contended", new AddressRange(), options.withSplitThreshold(256));
  }

  /** {@return an allocator with one region of some chunks} */
  static ContendedAllocator of(int chunks) {
    return new ContendedAllocator(BfcOptions.oneRegion(256L * chunks));
  }

  /** {@return an allocator with a region that grows and shrinks} */
  static ContendedAllocator expandable(int chunks) {
    return new ContendedAllocator(BfcOptions.expandable().withLimit(256L * chunks));
  }

  /** {@return an allocator with one region of some chunks, and a front cache for all of them} */
  static ContendedAllocator cached(int chunks) {
    return new ContendedAllocator(
        BfcOptions.oneRegion(256L * chunks).withFrontCache(256L * chunks));
  }

  /** {@return the index of a chunk that was in the front cache} */
  int takeCached() {
    free(take());
    return take();
  }

  /** {@return the index of a new chunk, or {@link #NONE}} */
  int take() {
    return index(allocator.tryAllocate(256, 256).orElse(NONE));
  }

  /** {@return the index of a new chunk, or the reason why there is none} */
  int take(Duration timeout) {
    return take(1, timeout);
  }

  /** {@return the index of a new range of chunks, or the reason why there is none} */
  int take(int chunks, Duration timeout) {
    try {
      return index(allocator.allocateOrWait(256L * chunks, 256, timeout));
    } catch (BfcOutOfMemoryException _) {
      return NONE;
    } catch (IllegalStateException _) {
      return REFUSED;
    } catch (InterruptedException _) {
      return INTERRUPTED;
    }
  }

  private static int index(long address) {
    return address < 0 ? NONE : (int) (address / 256);
  }

  /** {@return the index, or {@link #REFUSED} if no chunk was in use there} */
  int free(int index) {
    try {
      allocator.free(256L * index);
      return index;
    } catch (IllegalStateException _) {
      return REFUSED;
    }
  }

  void trim() {
    allocator.trim();
  }

  void close() {
    allocator.close();
  }

  /** {@return true if the statistics are consistent} */
  boolean isConsistent() {
    AllocatorStatistics now = allocator.statistics();
    return now.bytesInUse() % 256 == 0
        && now.requestedBytesInUse() == now.bytesInUse()
        && now.bytesInUse() <= now.peakBytesInUse()
        && now.bytesInUse() <= now.reservedBytes()
        && now.reservedBytes() <= now.peakReservedBytes()
        && now.peakReservedBytes() <= now.limitBytes();
  }

  /**
   * {@return the number of chunks in use, or {@link #BROKEN} if an invariant is broken or a request
   * still waits}
   */
  int chunksInUse() {
    try {
      AllocatorInternals.of(allocator).checkInvariants();
    } catch (AssertionError _) {
      return BROKEN;
    }
    return isConsistent() && allocator.waitingRequests() == 0
        ? (int) (allocator.statistics().bytesInUse() / 256)
        : BROKEN;
  }
}
