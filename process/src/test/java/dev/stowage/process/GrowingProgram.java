package dev.stowage.process;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that prints a line, waits for a byte, grows by about 40 MiB in one way, prints a line
 * again and waits for its input to end.
 */
final class GrowingProgram {

  private static final int MIB = 1 << 20;
  private static final int BYTES = 40 * MIB;
  private static final int SMALL_BYTES = 16 << 10;

  private static final List<Object> HELD = new ArrayList<>();

  private GrowingProgram() {}

  public static void main(String[] arguments) throws Exception {
    String way = arguments[0];
    prepare(way);
    System.out.println("ready");
    if (System.in.read() < 0) {
      return;
    }
    switch (way) {
      case "nothing" -> {}
      case "fragments" -> fragment();
      case "requests" -> request();
      case "direct" -> HELD.add(ByteBuffer.allocateDirect(BYTES));
      case "arena" -> HELD.add(Arena.ofShared().allocate(BYTES));
      case "classes" -> loadClasses();
      case "threads" -> startThreads();
      case "file" -> fillFile(Path.of(arguments[1]));
      case "objects" -> HELD.add(new byte[BYTES]);
      case "garbage" -> makeGarbage();
      default -> throw new IllegalArgumentException(way);
    }
    System.out.println("grown");
    System.in.readAllBytes();
  }

  /** Runs the code of a way once, so that the growth has few pages of the code itself. */
  private static void prepare(String way) {
    if (way.equals("direct")) {
      HELD.add(ByteBuffer.allocateDirect(1));
    }
    HELD.add(Arena.ofShared().allocate(1));
  }

  /** Requests small blocks, and releases all but the last one, so that the heap cannot shrink. */
  private static void fragment() {
    List<Arena> arenas = new ArrayList<>();
    for (int i = 0; i < BYTES / SMALL_BYTES; i++) {
      Arena arena = Arena.ofConfined();
      arena.allocate(SMALL_BYTES).fill((byte) 1);
      arenas.add(arena);
    }
    HELD.add(arenas.removeLast());
    arenas.forEach(Arena::close);
  }

  private static void request() {
    Arena arena = Arena.ofShared();
    for (int i = 0; i < BYTES / SMALL_BYTES; i++) {
      HELD.add(arena.allocate(SMALL_BYTES));
    }
  }

  /** Loads a class of this folder with thousands of class loaders. */
  private static void loadClasses() throws IOException, ClassNotFoundException {
    byte[] bytes;
    try (InputStream file =
        GrowingProgram.class.getResourceAsStream("GrowingProgram$Loaded.class")) {
      bytes = file.readAllBytes();
    }
    for (int i = 0; i < 5_000; i++) {
      HELD.add(new OneClass(bytes).findClass(Loaded.class.getName()));
    }
  }

  /** A class that is loaded often. */
  static final class Loaded {}

  private static final class OneClass extends ClassLoader {

    private final byte[] bytes;

    OneClass(byte[] bytes) {
      super(null);
      this.bytes = bytes;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      return defineClass(name, bytes, 0, bytes.length);
    }
  }

  private static void startThreads() throws InterruptedException {
    int count = 200;
    CountDownLatch running = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      Thread.ofPlatform().daemon().start(() -> descend(500, running));
    }
    running.await();
  }

  private static void descend(int depth, CountDownLatch running) {
    if (depth > 0) {
      descend(depth - 1, running);
    } else {
      running.countDown();
      while (true) {
        LockSupport.park();
      }
    }
  }

  private static void fillFile(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment segment = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, Arena.global());
      segment.fill((byte) 1);
      HELD.add(segment);
    }
    Files.delete(file);
  }

  private static void makeGarbage() {
    for (int i = 0; i < BYTES / MIB; i++) {
      HELD.add(new byte[MIB]);
    }
    HELD.clear();
  }
}
