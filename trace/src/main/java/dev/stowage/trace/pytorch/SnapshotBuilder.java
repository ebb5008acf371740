package dev.stowage.trace.pytorch;

import dev.stowage.plan.MalformedFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A snapshot that is built from the values of another format than pickle, in their order. */
public final class SnapshotBuilder {

  private final SnapshotContents contents = new SnapshotContents();

  /** The lists and dicts that are not complete, the innermost first. */
  private final Deque<Object> open = new ArrayDeque<>();

  /** The key of the next value of each open dict. */
  private final Deque<String> keys = new ArrayDeque<>();

  private Object root = Pickle.None.NONE;

  /** Creates a builder of one value, which is the snapshot. */
  public SnapshotBuilder() {}

  /** Begins a list. */
  public void beginList() {
    open.push(new PickleList());
  }

  /** Begins a dict. */
  public void beginDict() {
    open.push(new PickleDict());
  }

  /** Ends the innermost list or dict. */
  public void end() {
    value(open.pop());
  }

  /**
   * Sets the key of the value that follows, in a dict.
   *
   * @param key the key
   */
  public void key(String key) {
    keys.push(key);
  }

  /**
   * Adds a value to the innermost list or dict.
   *
   * @param value a {@code String}, {@code Long}, {@code BigInteger}, {@code Double} or {@code
   *     Boolean}; null for Python's None
   */
  public void value(@Nullable Object value) {
    Object item = value == null ? Pickle.None.NONE : value;
    switch (open.peek()) {
      case PickleList list -> contents.append(list, item);
      case PickleDict dict -> dict.putAll(new Object[] {keys.pop(), item}, 0, 2);
      case null, default -> root = item;
    }
  }

  /**
   * {@return the snapshot}
   *
   * @param source the name of the file in messages
   * @throws MalformedFileException if the value is not a snapshot, or a segment is invalid
   */
  public MemorySnapshot build(String source) throws MalformedFileException {
    return contents.snapshot(source, root);
  }
}
