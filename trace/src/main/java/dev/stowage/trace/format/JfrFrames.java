package dev.stowage.trace.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/**
 * The callers of allocators in a recording of JDK Flight Recorder. Allocations with the same call
 * stack share one list of texts.
 */
final class JfrFrames {

  /** The maximum number of frames of a stack that are kept. */
  static final int MAX_FRAMES = 128;

  /** The maximum number of stacks that are shared, so that a file cannot fill the memory. */
  private static final int MAX_STACKS = 1 << 16;

  /** The packages of the allocator: their frames are the same for all callers. */
  private final List<String> allocator;

  /** The texts of stacks; the parser makes one object for equal stacks in a part of a file. */
  private final IdentityHashMap<RecordedStackTrace, List<String>> known = new IdentityHashMap<>();

  /** The text of each frame, which the stacks share. */
  private final Map<String, String> texts = new HashMap<>();

  private JfrFrames(List<String> allocator) {
    this.allocator = allocator;
  }

  /**
   * {@return the callers of an allocator}
   *
   * @param packages the starts of the names of its classes
   */
  static JfrFrames outside(String... packages) {
    return new JfrFrames(List.of(packages));
  }

  /** {@return the frames outside the allocator, the innermost first; empty if there are none} */
  List<String> of(RecordedEvent event) {
    RecordedStackTrace stack = event.getStackTrace();
    if (stack == null) {
      return List.of();
    }
    if (known.size() >= MAX_STACKS) {
      known.clear();
      texts.clear();
    }
    return known.computeIfAbsent(stack, this::texts);
  }

  private List<String> texts(RecordedStackTrace stack) {
    List<String> frames = new ArrayList<>();
    for (RecordedFrame frame : stack.getFrames()) {
      Optional<String> text = text(frame, frames.isEmpty());
      if (text.isPresent() && frames.size() < MAX_FRAMES) {
        frames.add(texts.computeIfAbsent(text.get(), Function.identity()));
      }
    }
    return List.copyOf(frames);
  }

  private Optional<String> text(RecordedFrame frame, boolean isInnermost) {
    RecordedMethod method = frame.getMethod();
    if (method == null || method.getType() == null) {
      return Optional.empty();
    }
    String type = method.getType().getName();
    if (isInnermost && allocator.stream().anyMatch(type::startsWith)) {
      return Optional.empty();
    }
    String place = frame.getLineNumber() > 0 ? type + ":" + frame.getLineNumber() : type;
    return Optional.of(method.getName() + " at " + place);
  }
}
