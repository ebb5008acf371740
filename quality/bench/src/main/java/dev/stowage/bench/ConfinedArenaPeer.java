package dev.stowage.bench;

import java.lang.foreign.Arena;

/** A confined arena of the JDK for each block, which it fills with zeros. */
final class ConfinedArenaPeer implements PeerAllocator {

  private final Arena[] arenas;

  ConfinedArenaPeer(int slots) {
    arenas = new Arena[slots];
  }

  @Override
  public void allocate(int slot, long bytes) {
    Arena arena = Arena.ofConfined();
    arenas[slot] = arena;
    arena.allocate(bytes);
  }

  @Override
  public void free(int slot) {
    arenas[slot].close();
  }
}
