package dev.stowage.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A listener that records its calls, and then runs an action. */
final class RecordingListener implements AllocationListener {

  private final Consumer<Allocation> onAllocated;
  private final LongConsumer onFreed;
  private final List<String> heard = new ArrayList<>();

  private RecordingListener(Consumer<Allocation> onAllocated, LongConsumer onFreed) {
    this.onAllocated = onAllocated;
    this.onFreed = onFreed;
  }

  static RecordingListener onAllocated(Consumer<Allocation> action) {
    return new RecordingListener(action, id -> {});
  }

  static RecordingListener onFreed(LongConsumer action) {
    return new RecordingListener(allocation -> {}, action);
  }

  static RecordingListener onBoth(Consumer<String> action) {
    return new RecordingListener(
        allocation -> action.accept("allocated"), id -> action.accept("freed"));
  }

  /** {@return the calls: "allocated" or "freed" and the id, or "failed" and the bytes} */
  List<String> heard() {
    return heard;
  }

  @Override
  public void allocated(Allocation allocation) {
    heard.add("allocated " + allocation.id());
    onAllocated.accept(allocation);
  }

  @Override
  public void freed(long id) {
    heard.add("freed " + id);
    onFreed.accept(id);
  }

  @Override
  public void failed(long bytes) {
    heard.add("failed " + bytes);
  }
}
