package dev.stowage.stress;

import dev.stowage.core.bfc.AllocatorStatistics;
import dev.stowage.core.bfc.BfcAllocator;
import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.BfcOutOfMemoryException;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;

/** An allocator with room for a few chunks of 256 bytes, whose answers are numbers. */
final class ContendedAllocator {

  /** No room. */
  static final int NONE = -1;

  /** The caller's mistake, which may be another one's: freed twice, or closed. */
  static final int REFUSED = -2;

  static final int INTERRUPTED = -3;

  /** What nobody may ever see. */
  static final int BROKEN = -9;

  /** A request that is never answered waits until jcstress reports an error. */
  static final Duration FOREVER = Duration.ofDays(1);

  /** About as long as another thread takes to allocate and free. */
  static final Duration SHORT = Duration.ofNanos(2_000);

  /** Kept here, or it would be forgotten: who closes leaves leaks, thousands of times a second. */
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

  /** {@return one with a region of so many chunks} */
  static ContendedAllocator of(int chunks) {
    return new ContendedAllocator(BfcOptions.oneRegion(256L * chunks));
  }

  /** {@return one that takes what it needs from the range of addresses, and gives it back} */
  static ContendedAllocator expandable(int chunks) {
    return new ContendedAllocator(BfcOptions.expandable().withLimit(256L * chunks));
  }

  /** {@return the index of the chunk that was taken, or {@link #NONE}} */
  int take() {
    return index(allocator.tryAllocate(256, 256).orElse(NONE));
  }

  /** {@return the index of the chunk that was taken, or why none was} */
  int take(Duration timeout) {
    return take(1, timeout);
  }

  /** {@return the index of the first of neighbouring chunks, taken as one, or why none was} */
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

  /** {@return whether what is told at any one time fits together} */
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
   * {@return how many chunks are in use, or {@link #BROKEN} if the invariants are, or someone still
   * waits}
   */
  int chunksInUse() {
    try {
      allocator.checkInvariants();
    } catch (AssertionError _) {
      return BROKEN;
    }
    return isConsistent() && allocator.waitingRequests() == 0
        ? (int) (allocator.statistics().bytesInUse() / 256)
        : BROKEN;
  }
}
