package dev.stowage.allocator.internal;

import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The stack of a caller of an allocator, or of memory built on one; costs some microseconds. */
public final class CallerStack {

  private static final List<String> OWN =
      List.of("dev.stowage.allocator.", "dev.stowage.allocator.slab.", "dev.stowage.memory.");
  private static final List<String> OWN_AND_JDK =
      Stream.concat(OWN.stream(), Stream.of("java.", "jdk.", "sun.")).toList();

  /** The classes between the code of a tag and the code around it. */
  private static final Pattern TAGS =
      Pattern.compile("dev\\.stowage\\.allocator\\.AllocationTag|(java|jdk)\\..*ScopedValue.*");

  private final Throwable here = new Throwable();

  /** Captures the stack of the calling thread. */
  public CallerStack() {}

  /**
   * {@return the frames from the caller's own, innermost first}
   *
   * <p>The first frames are left out if they are from the allocators, from memory built on them, or
   * from the JDK. Frames of tags are left out everywhere. If no frame would be left, the frames of
   * the JDK stay.
   */
  public List<StackTraceElement> frames() {
    List<StackTraceElement> frames = framesAfter(OWN_AND_JDK);
    return frames.isEmpty() ? framesAfter(OWN) : frames;
  }

  private List<StackTraceElement> framesAfter(List<String> packages) {
    Predicate<StackTraceElement> within =
        frame -> packages.stream().anyMatch(frame.getClassName()::startsWith);
    return Stream.of(here.getStackTrace())
        .dropWhile(within)
        .filter(frame -> !TAGS.matcher(frame.getClassName()).matches())
        .toList();
  }
}
