package dev.stowage.memory.synced;

import java.util.Arrays;
import java.util.BitSet;

/** The model of a buffer: its contents, and the stale bytes of each side. Side 0 is the host. */
final class ModelBuffer {

  private final byte[] contents;
  private final boolean[] current;
  private final BitSet[] stale;

  /** True if devices copy from each other without the host. */
  private final boolean isConnected;

  /** True if a buffer may have joined ranges, and copy more than the stale bytes. */
  private boolean inexact;

  ModelBuffer(int bytes, int sides, boolean isConnected) {
    this.isConnected = isConnected;
    contents = new byte[bytes];
    current = new boolean[sides];
    stale = new BitSet[sides];
    Arrays.setAll(stale, _ -> new BitSet());
    for (int side = 0; side < sides; side++) {
      loseAll(side);
    }
  }

  SyncedHead head() {
    boolean onDevice = false;
    for (int side = 1; side < current.length; side++) {
      onDevice |= current[side];
    }
    if (current[0]) {
      return onDevice ? SyncedHead.SYNCED : SyncedHead.HEAD_AT_CPU;
    }
    return onDevice ? SyncedHead.HEAD_AT_GPU : SyncedHead.UNINITIALIZED;
  }

  boolean isCurrent(int side) {
    return current[side];
  }

  boolean isInexact() {
    return inexact;
  }

  byte[] contents(int offset, int count) {
    return Arrays.copyOfRange(contents, offset, offset + count);
  }

  /** Copied bytes. */
  record Copied(long toDevices, long toHost, long betweenDevices) {

    Copied(long toDevices, long toHost) {
      this(toDevices, toHost, 0);
    }
  }

  /** Makes a side current and {@return the bytes to copy} */
  Copied bring(int side) {
    if (current[side]) {
      return new Copied(0, 0);
    }
    if (head() == SyncedHead.HEAD_AT_GPU && isConnected && side != 0) {
      Copied direct = new Copied(0, 0, stale[side].cardinality());
      becomeCurrent(side);
      return direct;
    }
    Copied copied =
        switch (head()) {
          case UNINITIALIZED -> new Copied(0, 0);
          case HEAD_AT_GPU ->
              side == 0
                  ? new Copied(0, stale[0].cardinality())
                  : new Copied(stale[side].cardinality(), stale[0].cardinality());
          case HEAD_AT_CPU, SYNCED -> new Copied(stale[side].cardinality(), 0);
        };
    if (side != 0 && head() == SyncedHead.HEAD_AT_GPU) {
      becomeCurrent(0);
    }
    becomeCurrent(side);
    return copied;
  }

  private void becomeCurrent(int side) {
    current[side] = true;
    stale[side].clear();
  }

  /** Makes a range of other sides stale. */
  void write(int side, int offset, int count) {
    for (int other = 0; other < current.length; other++) {
      if (other != side) {
        current[other] = false;
        stale[other].set(offset, offset + count);
        inexact |= runs(stale[other]) > 16;
      }
    }
  }

  void fill(int offset, int count, byte value) {
    Arrays.fill(contents, offset, offset + count, value);
  }

  /** Sets all contents on one side. */
  void wrap(int side, byte value) {
    fill(0, contents.length, value);
    write(side, 0, contents.length);
    becomeCurrent(side);
  }

  void loseAll(int side) {
    current[side] = false;
    stale[side].set(0, contents.length);
  }

  private static int runs(BitSet bits) {
    int runs = 0;
    for (int i = bits.nextSetBit(0); i >= 0; i = bits.nextSetBit(bits.nextClearBit(i))) {
      runs++;
    }
    return runs;
  }
}
