package dev.stowage.allocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/** A sub-allocator without memory that provides scripted addresses and records each call. */
final class ScriptedRegions implements SubAllocator {

  enum Order {
    /** Each region starts at the end of the one before. */
    ADJACENT,
    ASCENDING,
    DESCENDING,
    SCATTERED
  }

  private final Order order;
  private final Random random;
  private final LongPredicate gives;
  private final TreeMap<Long, Long> held = new TreeMap<>();
  private final List<String> calls = new ArrayList<>();
  private long granularityBytes = 256;
  private long alignmentBytes = 256;
  private boolean resizes;
  private boolean canLengthen = true;
  private int failures;
  private long low = 1L << 40;
  private long high = 1L << 61;

  /**
   * @param seed the seed of scattered addresses and refusals
   * @param refusals the number of refusals in 100 requests
   */
  ScriptedRegions(Order order, long seed, int refusals) {
    this.order = order;
    this.random = new Random(seed);
    this.gives = bytes -> random.nextInt(100) >= refusals;
  }

  private ScriptedRegions(LongPredicate gives) {
    this.order = Order.ASCENDING;
    this.random = new Random(0);
    this.gives = gives;
  }

  /** Lets the ends of regions move if there is room, and {@return the device} */
  ScriptedRegions resizing() {
    resizes = true;
    return this;
  }

  /**
   * Lets the ends of regions move only down, as canLengthen() then says, and {@return the device}
   */
  ScriptedRegions fixed() {
    canLengthen = false;
    return this;
  }

  @Override
  public boolean canLengthen() {
    return canLengthen;
  }

  /** Lets a number of 100 calls that give memory back throw, and {@return the device} */
  ScriptedRegions failing(int percent) {
    failures = percent;
    return this;
  }

  private void mayFail() {
    if (failures > 0 && random.nextInt(100) < failures) {
      calls.add("throw");
      throw new UncheckedIOException(new IOException("broken"));
    }
  }

  ScriptedRegions withGranularity(long bytes) {
    granularityBytes = bytes;
    return this;
  }

  ScriptedRegions withAlignment(long bytes) {
    alignmentBytes = bytes;
    return this;
  }

  @Override
  public long alignmentBytes() {
    return alignmentBytes;
  }

  @Override
  public long granularityBytes() {
    return granularityBytes;
  }

  @Override
  public boolean resize(long address, long bytes, long newBytes) {
    if (!Long.valueOf(bytes).equals(held.get(address))
        || newBytes <= 0
        || newBytes == bytes
        || newBytes % granularityBytes != 0) {
      throw new AssertionError(
          "has " + held.get(address) + " at " + address + ": " + bytes + " to " + newBytes);
    }
    if (newBytes > bytes && !canLengthen) {
      throw new AssertionError("asked for what it says that it never does");
    }
    if (newBytes < bytes) {
      mayFail();
    }
    Long above = held.higherKey(address);
    boolean done =
        resizes && gives.test(newBytes) && (above == null || newBytes <= above - address);
    calls.add((done ? "resize " : "keep ") + bytes + " " + newBytes);
    if (done) {
      held.put(address, newBytes);
      low = Math.max(low, address + newBytes);
    }
    return done;
  }

  static ScriptedRegions ascending() {
    return giving(bytes -> true);
  }

  static ScriptedRegions giving(LongPredicate gives) {
    return new ScriptedRegions(gives);
  }

  @Override
  public OptionalLong allocate(long bytes) {
    if (bytes <= 0 || bytes % granularityBytes != 0) {
      throw new AssertionError("no positive multiple of " + granularityBytes + ": " + bytes);
    }
    boolean given = gives.test(bytes);
    calls.add((given ? "give " : "refuse ") + bytes);
    if (!given) {
      return OptionalLong.empty();
    }
    long address = address(bytes);
    held.put(address, bytes);
    return OptionalLong.of(address);
  }

  private long address(long bytes) {
    return switch (order) {
      case ADJACENT -> above(bytes, 0);
      case ASCENDING -> above(bytes, 1 << 20);
      case DESCENDING -> below(bytes);
      case SCATTERED -> farFromOthers();
    };
  }

  private long above(long bytes, long gapBytes) {
    long address = (low + alignmentBytes - 1) & -alignmentBytes;
    low = address + bytes + gapBytes;
    return address;
  }

  private long below(long bytes) {
    high = (high - bytes) & -alignmentBytes;
    return high;
  }

  private long farFromOthers() {
    while (true) {
      long address = scattered() & -alignmentBytes;
      Long below = held.floorKey(address + (1L << 44));
      if (below == null || below <= address - (1L << 44)) {
        return address;
      }
    }
  }

  private long scattered() {
    return random.nextLong(1L << 53) << 8;
  }

  @Override
  public void free(long address, long bytes) {
    mayFail();
    calls.add("free " + bytes);
    Long expected = held.remove(address);
    if (expected == null || expected != bytes) {
      throw new AssertionError("gave " + expected + " at " + address + ", taken back " + bytes);
    }
  }

  /** {@return sizes by address} */
  Map<Long, Long> held() {
    return held;
  }

  /** {@return the calls: "give", "refuse", "resize", "keep" or "free" and the bytes, or "throw"} */
  List<String> calls() {
    return calls;
  }
}
