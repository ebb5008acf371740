package dev.stowage.core.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The callers in a snapshot of PyTorch. All allocations with the same call stack share one list of
 * texts.
 */
final class SnapshotFrames {

  /*
   * A stack may have a hundred frames, most of them of the interpreter, the dispatcher and the
   * recorder. Stacks differ in the lines of Python, the operator and, in a backward pass, the node. A
   * stack without any of these keeps all frames that have a name.
   */

  /** The maximum number of frames of a stack that are kept. */
  static final int MAX_FRAMES = 16;

  private static final int LONGEST = 120;
  private static final String OPERATOR = "at::_ops::";
  private static final String OPERATOR_CALL = "::call(";
  private static final String BACKWARD_NODE = "torch::autograd::generated::";

  private final Map<List<String>, List<String>> known = new HashMap<>();

  /** A frame of the snapshot. The name or file is empty if the snapshot does not contain it. */
  private record Frame(String name, String file, long line) {

    boolean isPython() {
      return file.endsWith(".py") || file.startsWith("<");
    }

    String text() {
      if (file.isEmpty()) {
        return start(name);
      }
      String place = line > 0 ? end(file) + ":" + line : end(file);
      return name.isEmpty() ? place : start(name) + " at " + place;
    }
  }

  /**
   * {@return the useful frames, the innermost first; entries that are not frames are omitted}
   *
   * @param frames the value of the snapshot, if there is one
   */
  List<String> of(@Nullable Object frames) {
    if (!(frames instanceof List<?> list)) {
      return List.of();
    }
    List<String> useful = new ArrayList<>();
    List<String> named = new ArrayList<>();
    for (Object value : list) {
      Optional<Frame> frame = frame(value);
      if (frame.isPresent() && named.size() < MAX_FRAMES) {
        named.add(frame.get().text());
      }
      if (useful.size() < MAX_FRAMES) {
        frame.flatMap(SnapshotFrames::useful).ifPresent(useful::add);
      }
    }
    List<String> kept = List.copyOf(useful.isEmpty() ? named : useful);
    return known.computeIfAbsent(kept, same -> same);
  }

  private static Optional<Frame> frame(Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return Optional.empty();
    }
    String name = map.get("name") instanceof String text ? text : "";
    String file = map.get("filename") instanceof String text && !text.equals("??") ? text : "";
    long line = map.get("line") instanceof Long number ? number : 0;
    return name.isEmpty() && file.isEmpty()
        ? Optional.empty()
        : Optional.of(new Frame(name, file, line));
  }

  private static Optional<String> useful(Frame frame) {
    String name = frame.name();
    if (frame.isPython()) {
      return Optional.of(frame.text());
    }
    int call = name.indexOf(OPERATOR_CALL);
    if (name.startsWith(OPERATOR) && call > 0) {
      return Optional.of(start(name.substring(0, call)));
    }
    if (name.startsWith(BACKWARD_NODE)) {
      int arguments = name.indexOf('(');
      return Optional.of(start(arguments < 0 ? name : name.substring(0, arguments)));
    }
    return Optional.empty();
  }

  private static String start(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    boolean isHalf = Character.isHighSurrogate(text.charAt(LONGEST - 2));
    return text.substring(0, LONGEST - (isHalf ? 2 : 1)) + "…";
  }

  private static String end(String text) {
    if (text.length() <= LONGEST) {
      return text;
    }
    int from = text.length() - LONGEST + 1;
    return "…" + text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }
}
