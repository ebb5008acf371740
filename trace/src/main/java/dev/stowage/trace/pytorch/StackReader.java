package dev.stowage.trace.pytorch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of the call stacks of a snapshot, which keeps their useful frames. */
final class StackReader {

  /*
   * A stack may have a hundred frames, most of them of the interpreter, the dispatcher and the
   * recorder. Stacks differ in the lines of Python, the operator and, in a backward pass, the node. A
   * stack without any of these keeps all frames that have a name.
   *
   * The stacks of a snapshot share the dicts of their frames, so a frame is read once. Equal frames have
   * the same number.
   */

  /** The maximum number of frames of a stack that are kept. */
  static final int MAX_FRAMES = 128;

  private static final String OPERATOR = "at::_ops::";
  private static final String OPERATOR_CALL = "::call(";
  private static final String BACKWARD_NODE = "torch::autograd::generated::";

  private final StackTable.Builder table = StackTable.builder();
  private final Map<Key, Integer> stacks = new HashMap<>();
  private final List<SnapshotFrame> frames = new ArrayList<>();
  private final Map<SnapshotFrame, Integer> frameNumbers = new HashMap<>();

  /** The useful and the named frames of the current stack. */
  private final int[] useful = new int[MAX_FRAMES];

  private final int[] named = new int[MAX_FRAMES];

  /** The frame of a dict: the number of the complete frame, and of the useful one or -1. */
  private record ReadFrame(int named, int useful) {}

  /** The numbers of the frames of a stack. */
  private static final class Key {

    private final int[] frames;

    Key(int[] frames) {
      this.frames = frames;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that && Arrays.equals(frames, that.frames);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(frames);
    }
  }

  /** {@return the frame of a dict, which is read only once} */
  Object frame(PickleDict dict) {
    Object reading = dict.reading();
    if (reading == null) {
      reading = read(dict);
      dict.setReading(reading);
    }
    return reading;
  }

  private Object read(PickleDict dict) {
    String name = dict.get("name") instanceof String text ? text : "";
    String file = dict.get("filename") instanceof String text && !text.equals("??") ? text : "";
    long line = dict.get("line") instanceof Long number ? number : 0;
    if (name.isEmpty() && file.isEmpty()) {
      return Pickle.None.NONE;
    }
    SnapshotFrame frame = new SnapshotFrame(name, file, line);
    SnapshotFrame useful = useful(frame);
    return new ReadFrame(number(frame), useful == null ? -1 : number(useful));
  }

  private int number(SnapshotFrame frame) {
    return frameNumbers.computeIfAbsent(
        frame,
        added -> {
          frames.add(added);
          return frames.size() - 1;
        });
  }

  private static @Nullable SnapshotFrame useful(SnapshotFrame frame) {
    String name = frame.name();
    if (frame.isPython()) {
      return frame;
    }
    int call = name.indexOf(OPERATOR_CALL);
    if (name.startsWith(OPERATOR) && call > 0) {
      return new SnapshotFrame(name.substring(0, call), "", 0);
    }
    if (name.startsWith(BACKWARD_NODE)) {
      int arguments = name.indexOf('(');
      return new SnapshotFrame(arguments < 0 ? name : name.substring(0, arguments), "", 0);
    }
    return null;
  }

  /**
   * {@return the number of a stack; only the useful frames of it are kept}
   *
   * @param value the frames of an event or a block, the innermost first, or null; items that are
   *     not frames are omitted
   */
  int stack(@Nullable Object value) {
    if (!(value instanceof PickleList list)) {
      return StackTable.NONE;
    }
    if (list.reading() instanceof Integer known) {
      return known;
    }
    int stack = read(list);
    list.setReading(stack);
    return stack;
  }

  private int read(PickleList list) {
    int usefulCount = 0;
    int namedCount = 0;
    for (int i = 0; i < list.count() && usefulCount < MAX_FRAMES; i++) {
      if (list.get(i) instanceof ReadFrame frame) {
        if (frame.useful() >= 0) {
          useful[usefulCount++] = frame.useful();
        }
        if (namedCount < MAX_FRAMES) {
          named[namedCount++] = frame.named();
        }
      }
    }
    Key key =
        new Key(
            usefulCount > 0
                ? Arrays.copyOf(useful, usefulCount)
                : Arrays.copyOf(named, namedCount));
    return stacks.computeIfAbsent(
        key, added -> table.add(Arrays.stream(added.frames).mapToObj(frames::get).toList()));
  }

  /** {@return the stacks that were read} */
  StackTable table() {
    return table.build();
  }
}
