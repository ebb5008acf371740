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
      case "full" -> {
        holdDirectBuffers();
        System.out.println("ready");
        System.in.read();
        fillHeap();
      }
      case "arenas" -> holdArenas();
      case "small" -> holdSmallArenas();
      case "files" -> holdFile(Files.createTempFile("culprit", ""));
      case "garbage" -> makeGarbage();
      case "litter" -> litter();
      case "collected" -> {
        litter();
        System.gc();
      }
      case "drops" -> dropDirectBuffers();
      case "threads" -> fillArenas();
      case "turns" -> fillArenasInTurn();
      case "idle" -> {}
      case "deaf", "mute", "slow", "busy" -> HostileSocket.open(arguments[0]);
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

  /** Holds two thirds of the largest heap. */
  private static void fillHeap() {
    long bytes = Runtime.getRuntime().maxMemory() / 3 * 2;
    for (long i = 0; i < bytes; i += 64 << 10) {
      HELD.add(new byte[64 << 10]);
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
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment segment =
          channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) COUNT * BYTES, Arena.global());
      segment.fill((byte) 1);
      HELD.add(segment);
    }
    Files.delete(file);
  }

  /** Garbage, of which little is live at a time. */
  private static void litter() {
    for (int i = 0; i < COUNT * BYTES / MIB; i++) {
      HELD.add(new byte[MIB]);
      HELD.clear();
    }
  }

  /** Direct buffers without references, which only a collection releases. */
  private static void dropDirectBuffers() {
    for (int i = 0; i < COUNT; i++) {
      HELD.add(ByteBuffer.allocateDirect(BYTES));
      HELD.clear();
    }
  }

  /** 32 threads fill and empty their arenas one after the other, and keep a block each. */
  private static void fillArenasInTurn() {
    CyclicBarrier done = new CyclicBarrier(2);
    for (int i = 0; i < 32; i++) {
      startDaemon(() -> {
        List<Arena> arenas = filledArenas(16);
        HELD_ARENAS.add(arenas.removeLast());
        arenas.forEach(Arena::close);
        await(done);
        LockSupport.park();
      });
      await(done);
    }
  }

  private static void startDaemon(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  private static List<Arena> filledArenas(int mebibytes) {
    List<Arena> arenas = new ArrayList<>();
    for (int i = 0; i < mebibytes * MIB / (16 << 10); i++) {
      Arena arena = Arena.ofConfined();
      arena.allocate(16 << 10).fill((byte) 1);
      arenas.add(arena);
    }
    return arenas;
  }

  /**
   * 64 threads request memory, for which the C library makes arenas. When all have it, each
   * releases all but its last block, so that the arenas cannot shrink.
   */
  private static void fillArenas() {
    for (int i = 0; i < 64; i++) {
      startDaemon(Culprit::fillArena);
    }
    await(FILLED);
    await(RELEASED);
  }

  private static void fillArena() {
    List<Arena> arenas = filledArenas(4);
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
