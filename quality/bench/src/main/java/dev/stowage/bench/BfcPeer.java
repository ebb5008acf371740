package dev.stowage.bench;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;

/** The allocator of Stowage, over addresses without memory. */
final class BfcPeer implements PeerAllocator {

  private final BfcAllocator allocator;
  private final long[] addresses;

  BfcPeer(int slots, BfcOptions options) {
    allocator = new BfcAllocator("bench", new CountedAddresses(), options);
    addresses = new long[slots];
  }

  @Override
  public void allocate(int slot, long bytes) {
    addresses[slot] = allocator.allocate(bytes);
  }

  @Override
  public void free(int slot) {
    allocator.free(addresses[slot]);
  }
}
