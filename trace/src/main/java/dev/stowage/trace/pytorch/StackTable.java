package dev.stowage.trace.pytorch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The different call stacks of a snapshot, each with a number. */
public final class StackTable {

  /** The number of the empty stack, for events and blocks without a stack. */
  public static final int NONE = 0;

  private final List<List<SnapshotFrame>> stacks;
  private final List<List<String>> texts;

  private StackTable(List<List<SnapshotFrame>> stacks, List<List<String>> texts) {
    this.stacks = List.copyOf(stacks);
    this.texts = List.copyOf(texts);
  }

  /** {@return the number of stacks, including the empty one} */
  public int count() {
    return stacks.size();
  }

  /**
   * {@return the frames of a stack, the innermost first}
   *
   * @param stack the number of the stack
   */
  public List<SnapshotFrame> frames(int stack) {
    return stacks.get(stack);
  }

  /**
   * {@return the texts of the frames of a stack, the innermost first; the same list in each call}
   *
   * @param stack the number of the stack
   */
  public List<String> texts(int stack) {
    return texts.get(stack);
  }

  /** {@return a builder with the empty stack} */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder of a table. */
  public static final class Builder {

    private final List<List<SnapshotFrame>> stacks = new ArrayList<>();
    private final List<List<String>> texts = new ArrayList<>();
    private final Map<List<SnapshotFrame>, Integer> numbers = new HashMap<>();

    /** The text of each frame, which its stacks share. */
    private final Map<SnapshotFrame, String> textOf = new HashMap<>();

    private Builder() {
      add(List.of());
    }

    /**
     * Adds a stack if the table does not contain it.
     *
     * @param frames the frames, the innermost first
     * @return its number
     */
    public int add(List<SnapshotFrame> frames) {
      return numbers.computeIfAbsent(
          List.copyOf(frames),
          added -> {
            stacks.add(added);
            // List.copyOf of such a list, as in each event, makes no copy.
            texts.add(List.copyOf(added.stream().map(this::text).toList()));
            return stacks.size() - 1;
          });
    }

    private String text(SnapshotFrame frame) {
      return textOf.computeIfAbsent(frame, SnapshotFrame::text);
    }

    /** {@return the table} */
    public StackTable build() {
      return new StackTable(stacks, texts);
    }
  }
}
