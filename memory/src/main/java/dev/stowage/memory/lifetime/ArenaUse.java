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

/** Detection of native calls that hold an arena of the JDK. */
public final class ArenaUse {

  /*
   * An arena cannot be closed while a native call holds one of its segments. To close all of
   * several arenas or none, this must be known before the first one is closed. The JDK has no
   * method for it, but the message of a rejected `close` has the number of holders.
   *
   * Therefore a call of bsearch holds the arena, and its comparison tries to close it, which the
   * JDK always rejects. An arena with other holders gives another message than an arena without
   * them. If a JDK omits the number, no arena is found to be in use, and closing several arenas may
   * fail in the middle.
   */

  private static final MethodHandle BSEARCH = bsearch();
  private static final MemorySegment COMPARISON = comparison();
  private static final ThreadLocal<Attempt> ATTEMPT = new ThreadLocal<>();
  private static final String ONE_HOLDER = refusalOfUnused();

  /** An attempt to close an arena within a native call. */
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
   * {@return true if a native call holds a segment of an arena; false if the arena is closed}
   *
   * <p>Another thread can start or end a native call at any time. The check takes a few
   * microseconds.
   *
   * @param arena an arena of the JDK; this thread may close it, and no other thread closes it now
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
   * {@return the message of an arena that rejects its close in a native call; empty if the arena
   * has ended}
   */
  @SuppressWarnings("restricted") // a segment without bytes, only for its arena
  private static Optional<String> refusal(Arena arena) {
    Attempt attempt = new Attempt(arena);
    ATTEMPT.set(attempt);
    try {
      MemorySegment held = MemorySegment.NULL.reinterpret(0, arena, null);
      BSEARCH.invokeExact(held, MemorySegment.NULL, 1L, 1L, COMPARISON);
    } catch (IllegalStateException ended) {
      return Optional.empty();
    } catch (Throwable thrown) {
      throw new AssertionError("bsearch does not throw", thrown);
    } finally {
      ATTEMPT.remove();
    }
    return attempt.refusal;
  }

  /** The comparison, which bsearch calls once. */
  @SuppressWarnings("unused") // called by native code
  private static int compare(MemorySegment key, MemorySegment element) {
    ATTEMPT.get().run();
    return 0;
  }

  @SuppressWarnings("restricted") // a native call of this module
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
