package dev.stowage.allocator.internal;

import java.util.List;
import java.util.stream.Stream;

/** The stack of a caller of an allocator, or of memory built on one; costs some microseconds. */
public final class CallerStack {

  private static final List<String> OWN =
      List.of("dev.stowage.allocator.", "dev.stowage.allocator.slab.", "dev.stowage.memory.");
  private static final List<String> OWN_AND_JDK =
      Stream.concat(OWN.stream(), Stream.of("java.", "jdk.", "sun.")).toList();

  /** The frames between the code of a tag and the code around it. */
  private static final List<String> TAGS =
      List.of(
          "dev.stowage.allocator.AllocationTag",
          "java.lang.ScopedValue",
          "jdk.internal.vm.ScopedValueContainer");

  private final Throwable here = new Throwable();

  /** Captures the stack of the calling thread. */
  public CallerStack() {}

  /**
   * {@return the frames from the caller's own, innermost first}
   *
   * <p>The frames of allocators, of memory built on them, and of the JDK that precede these are
   * omitted, and so are those of tags. If there are no other frames, those of the JDK are kept.
   */
  public List<StackTraceElement> frames() {
    List<StackTraceElement> frames = framesAfter(OWN_AND_JDK);
    return frames.isEmpty() ? framesAfter(OWN) : frames;
  }

  private List<StackTraceElement> framesAfter(List<String> packages) {
    return Stream.of(here.getStackTrace())
        .dropWhile(frame -> isOf(packages, frame))
        .filter(frame -> !isOf(TAGS, frame))
        .toList();
  }

  private static boolean isOf(List<String> names, StackTraceElement frame) {
    return names.stream().anyMatch(frame.getClassName()::startsWith);
  }
}
