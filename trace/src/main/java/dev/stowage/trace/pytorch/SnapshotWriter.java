package dev.stowage.trace.pytorch;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A writer of memory snapshots of PyTorch, with one device, for {@link SnapshotReader}, PyTorch's
 * viewer ({@code pytorch.org/memory_viz}) and its {@code _memory_viz.py}.
 *
 * <p>Events are written as they come; the segments follow at the end. So the memory of a writer
 * does not depend on the number of events.
 */
public final class SnapshotWriter implements Closeable {

  /*
   * The viewer adds the items of a list with a call that has an argument for each. So it reads at
   * most a thousand at once. It draws a free_completed without a free_requested before it as a block
   * in use. It crashes if an event has a category and no event has the category "unknown".
   */

  static final int MAX_ITEMS = 1000;

  private static final long DEVICE = 0;

  private final PickleOutput out;
  private int items;

  /**
   * Creates a writer.
   *
   * @param out the file, which {@link #close} closes
   * @throws IOException if the file cannot be written
   */
  public SnapshotWriter(OutputStream out) throws IOException {
    this.out = new PickleOutput(out);
    this.out.openDict();
    this.out.text("device_traces");
    this.out.emptyList();
    openList();
  }

  /**
   * Writes an event.
   *
   * @param action the action; not {@link SnapshotAction#OTHER}
   * @param address the address; the free bytes of the device, or {@link SnapshotEvents#UNKNOWN},
   *     for {@link SnapshotAction#OOM}
   * @param bytes the bytes, as {@link SnapshotEvents#bytes} defines them
   * @param stream the stream
   * @param pool the pool
   * @param micros the time in microseconds
   * @param frames the stack, the innermost frame first
   * @throws IllegalArgumentException if {@code action == SnapshotAction.OTHER}
   * @throws IOException if the file cannot be written
   */
  public void event(
      SnapshotAction action,
      long address,
      long bytes,
      long stream,
      PoolId pool,
      long micros,
      List<SnapshotFrame> frames)
      throws IOException {
    if (action == SnapshotAction.OTHER) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "action has no name in snapshots: action=%s", action));
    }
    nextItem();
    out.openDict();
    out.text("action");
    out.text(action.key());
    if (action != SnapshotAction.OOM || address != SnapshotEvents.UNKNOWN) {
      out.text(action == SnapshotAction.OOM ? "device_free" : "addr");
      out.unsigned(address);
    }
    number("size", bytes);
    number("stream", stream);
    number("time_us", micros);
    if (pool.isPrivate()) {
      out.text("pool_id");
      out.pair(pool.graph(), pool.user());
    }
    frames(frames);
    out.closeDict();
  }

  /**
   * Writes the state at the end, and ends the snapshot.
   *
   * @param segments the segments
   * @param stacks the stacks of the segments and their blocks
   * @param settings the settings of the allocator
   * @throws IOException if the file cannot be written
   */
  public void finish(List<SnapshotSegment> segments, StackTable stacks, SnapshotSettings settings)
      throws IOException {
    closeList();
    out.append();
    out.text("segments");
    openList();
    for (SnapshotSegment segment : segments) {
      nextItem();
      int before = items;
      segment(segment, stacks);
      items = before;
    }
    closeList();
    out.text("allocator_settings");
    values(settings.values());
    out.closeDict();
    out.stop();
  }

  private void segment(SnapshotSegment segment, StackTable stacks) throws IOException {
    long allocatedBytes = 0;
    long activeBytes = 0;
    long requestedBytes = 0;
    for (SnapshotBlock block : segment.blocks()) {
      if (block.state().isActive()) {
        activeBytes += block.bytes();
        requestedBytes += block.requestedBytes();
        allocatedBytes += block.state() == BlockState.ACTIVE ? block.bytes() : 0;
      }
    }
    out.openDict();
    number("device", DEVICE);
    out.text("address");
    out.unsigned(segment.address());
    number("total_size", segment.bytes());
    number("allocated_size", allocatedBytes);
    number("active_size", activeBytes);
    number("requested_size", requestedBytes);
    number("stream", segment.lane().stream());
    out.text("segment_type");
    out.text(segment.lane().isSmall() ? "small" : "large");
    out.text("segment_pool_id");
    out.pair(segment.lane().pool().graph(), segment.lane().pool().user());
    out.text("is_expandable");
    out.flag(segment.isExpandable());
    frames(stacks.frames(segment.stack()));
    out.text("blocks");
    openList();
    for (SnapshotBlock block : segment.blocks()) {
      nextItem();
      block(block, stacks);
    }
    closeList();
    out.closeDict();
  }

  private void block(SnapshotBlock block, StackTable stacks) throws IOException {
    out.openDict();
    out.text("address");
    out.unsigned(block.address());
    number("size", block.bytes());
    number("requested_size", block.requestedBytes());
    out.text("state");
    out.text(block.state().key());
    frames(stacks.frames(block.stack()));
    out.closeDict();
  }

  private void frames(List<SnapshotFrame> frames) throws IOException {
    out.text("frames");
    if (!out.writeFromMemo(frames)) {
      // A stack has less than a thousand frames.
      out.emptyList();
      out.openItems();
      for (SnapshotFrame frame : frames.subList(0, Math.min(frames.size(), MAX_ITEMS))) {
        frame(frame);
      }
      out.closeItems();
      out.memoize(frames);
    }
  }

  private void frame(SnapshotFrame frame) throws IOException {
    if (!out.writeFromMemo(frame)) {
      out.openDict();
      out.text("name");
      out.text(frame.name());
      out.text("filename");
      out.text(frame.file());
      number("line", frame.line());
      out.closeDict();
      out.memoize(frame);
    }
  }

  private void number(String key, long value) throws IOException {
    out.text(key);
    out.number(value);
  }

  private void values(Map<String, ?> values) throws IOException {
    out.openDict();
    for (Map.Entry<String, ?> entry : values.entrySet()) {
      out.text(entry.getKey());
      value(entry.getValue());
    }
    out.closeDict();
  }

  private void value(Object value) throws IOException {
    switch (value) {
      case String text -> out.text(text);
      case Boolean flag -> out.flag(flag);
      case Double fraction -> out.fraction(fraction);
      case Number number -> out.number(number.longValue());
      case Map<?, ?> map -> {
        out.openDict();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.text(String.valueOf(entry.getKey()));
          value(entry.getValue());
        }
        out.closeDict();
      }
      default ->
          throw new IllegalArgumentException(
              "a setting has a value of another type: " + value.getClass().getName());
    }
  }

  private void openList() throws IOException {
    out.emptyList();
    out.openItems();
    items = 0;
  }

  private void nextItem() throws IOException {
    if (items == MAX_ITEMS) {
      out.closeItems();
      out.openItems();
      items = 0;
    }
    items++;
  }

  private void closeList() throws IOException {
    out.closeItems();
  }

  /** Closes the file. */
  @Override
  public void close() throws IOException {
    out.close();
  }
}
