package dev.stowage.memory.lifetime;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;

/** Tells whether native calls hold an arena of the JDK. */
public final class ArenaUse {

  /*
   * An arena cannot be closed while a native call holds one of its segments. Closing several arenas,
   * all or none, needs the answer before the first one is closed, and the JDK has no method for it.
   * It counts the holders, though, and names their number in the message with which `close` refuses.
   *
   * So a native call of our own, bsearch, holds the arena, and its comparison tries to close it. That
   * is always refused. The message is compared with that for an arena with no other holder; if it
   * differs, there are others. If a JDK stops naming the number, no arena is found to be in use, and
   * closing several arenas may fail in the middle.
   */

  private static final MethodHandle BSEARCH = bsearch();
  private static final MemorySegment COMPARISON = comparison();
  private static final ThreadLocal<Attempt> ATTEMPT = new ThreadLocal<>();
  private static final String ONE_HOLDER = refusalOfUnused();

  /** A close that is tried in a native call. */
  private static final class Attempt {

    private final Arena arena;
    private Optional<String> refusal = Optional.empty();

    Attempt(Arena arena) {
      this.arena = arena;
    }

    void run() {
      try {
        arena.close();
      } catch (IllegalStateException held) {
        refusal = Optional.ofNullable(held.getMessage());
      }
    }
  }

  private ArenaUse() {}

  /**
   * {@return true if a native call holds a segment of an arena; false if it has ended}
   *
   * <p>Another thread may begin or end a native call, so that the answer is of this moment. Costs a
   * few microseconds.
   *
   * @param arena an arena of the JDK, which this thread may close, and no other thread closes now
   */
  public static boolean isInUse(Arena arena) {
    return refusal(arena).filter(message -> !message.equals(ONE_HOLDER)).isPresent();
  }

  private static String refusalOfUnused() {
    try (Arena unused = Arena.ofConfined()) {
      return refusal(unused).orElseThrow();
    }
  }

  /**
   * {@return the message with which an arena rejects its close in a native call, empty if it has
   * ended}
   */
  @SuppressWarnings("restricted") // no bytes, of which only the arena counts
  private static Optional<String> refusal(Arena arena) {
    Attempt attempt = new Attempt(arena);
    ATTEMPT.set(attempt);
    try {
      MemorySegment held = MemorySegment.NULL.reinterpret(0, arena, null);
      BSEARCH.invokeExact(held, MemorySegment.NULL, 1L, 1L, COMPARISON);
    } catch (IllegalStateException ended) {
      return Optional.empty();
    } catch (Throwable thrown) {
      throw new AssertionError("bsearch throws nothing", thrown);
    } finally {
      ATTEMPT.remove();
    }
    return attempt.refusal;
  }

  /** Compares nothing: bsearch calls it once. */
  @SuppressWarnings("unused") // called by native code
  private static int compare(MemorySegment key, MemorySegment element) {
    ATTEMPT.get().run();
    return 0;
  }

  @SuppressWarnings("restricted") // this is a call that this module has its right for
  private static MethodHandle bsearch() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("bsearch"),
        FunctionDescriptor.ofVoid(
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS));
  }

  @SuppressWarnings("restricted") // as above
  private static MemorySegment comparison() {
    try {
      MethodHandle compare =
          MethodHandles.lookup()
              .findStatic(
                  ArenaUse.class,
                  "compare",
                  MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      return Linker.nativeLinker()
          .upcallStub(
              compare,
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
              Arena.global());
    } catch (ReflectiveOperationException missing) {
      throw new LinkageError("compare is a method of this class", missing);
    }
  }
}
