package dev.stowage.process;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;

/** A program with one owner of 200 MiB, which prints a line and waits for its input to end. */
final class Culprit {

  private static final int MIB = 1 << 20;
  private static final int COUNT = 25;
  private static final int BYTES = 8 * MIB;

  private static final List<Object> HELD = new ArrayList<>();
  private static final Queue<Arena> HELD_ARENAS = new ConcurrentLinkedQueue<>();
  private static final CyclicBarrier FILLED = new CyclicBarrier(65);
  private static final CyclicBarrier RELEASED = new CyclicBarrier(65);

  private Culprit() {}

  public static void main(String[] arguments) throws IOException {
    switch (arguments[0]) {
      case "direct" -> holdDirectBuffers();
      case "arenas" -> holdArenas();
      case "small" -> holdSmallArenas();
      case "files" -> holdFile(Path.of(arguments[1]));
      case "garbage" -> makeGarbage();
      case "threads" -> fillArenas();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("ready");
    System.in.readAllBytes();
  }

  private static void holdDirectBuffers() {
    for (int i = 0; i < COUNT; i++) {
      HELD.add(ByteBuffer.allocateDirect(BYTES));
    }
  }

  private static void holdArenas() {
    for (int i = 0; i < COUNT; i++) {
      HELD.add(Arena.ofShared().allocate(BYTES));
    }
  }

  /** Requests below the size from which the C library maps them, so that they are in its heap. */
  private static void holdSmallArenas() {
    Arena arena = Arena.ofShared();
    for (int i = 0; i < COUNT * BYTES / (32 << 10); i++) {
      HELD.add(arena.allocate(32 << 10));
    }
  }

  private static void holdFile(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment segment =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) COUNT * BYTES, Arena.global());
      segment.fill((byte) 1);
      HELD.add(segment);
    }
    Files.delete(file);
  }

  /**
   * Each of 64 threads requests memory from its own arena of the C library, and releases all but
   * its last block, so that the arena cannot shrink.
   */
  private static void fillArenas() {
    for (int i = 0; i < 64; i++) {
      Thread thread = new Thread(Culprit::fillArena);
      thread.setDaemon(true);
      thread.start();
      HELD.add(thread);
    }
    await(FILLED);
    await(RELEASED);
  }

  private static void fillArena() {
    List<Arena> arenas = new ArrayList<>();
    for (int i = 0; i < 4 * MIB / (16 << 10); i++) {
      Arena arena = Arena.ofConfined();
      arena.allocate(16 << 10).fill((byte) 1);
      arenas.add(arena);
    }
    HELD_ARENAS.add(arenas.removeLast());
    await(FILLED);
    arenas.forEach(Arena::close);
    await(RELEASED);
    LockSupport.park();
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void makeGarbage() {
    for (int i = 0; i < COUNT * BYTES / MIB; i++) {
      HELD.add(new byte[MIB]);
    }
    HELD.clear();
  }
}
