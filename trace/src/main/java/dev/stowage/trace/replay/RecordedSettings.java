package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SnapshotSettings;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the settings of PyTorch's allocator from a snapshot. */
final class RecordedSettings {

  private RecordedSettings() {}

  /**
   * {@return the settings}
   *
   * <p>The text of the environment variable has some settings that a snapshot does not contain
   * otherwise. The other values are those in effect, which a program may have changed.
   */
  static PytorchSettings of(SnapshotSettings recorded) {
    PytorchSettings settings = named(recorded);
    if (recorded.number("max_split_size").isPresent()) {
      long bytes = recorded.number("max_split_size").getAsLong();
      settings = settings.withMaxSplit(bytes > 0 ? bytes : PytorchSettings.UNLIMITED);
    }
    if (recorded.fraction("garbage_collection_threshold").isPresent()) {
      settings =
          settings.withGarbageCollection(
              recorded.fraction("garbage_collection_threshold").getAsDouble());
    }
    if (recorded.flag("expandable_segments").isPresent()) {
      settings = settings.withExpandable(recorded.flag("expandable_segments").get());
    }
    Map<String, Long> divisions = recorded.numbers("roundup_power2_divisions");
    return divisions.isEmpty() ? settings : settings.with(roundup(divisions));
  }

  /** {@return the settings as a snapshot has them} */
  static SnapshotSettings recorded(PytorchSettings settings) {
    long maxSplitBytes = settings.maxSplitBytes();
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("PYTORCH_CUDA_ALLOC_CONF", settings.toString());
    values.put("max_split_size", maxSplitBytes == PytorchSettings.UNLIMITED ? -1 : maxSplitBytes);
    values.put("garbage_collection_threshold", settings.garbageCollectionThreshold());
    values.put("expandable_segments", settings.isExpandable());
    return SnapshotSettings.of(values);
  }

  private static PytorchSettings named(SnapshotSettings recorded) {
    String text =
        recorded
            .text("PYTORCH_CUDA_ALLOC_CONF")
            .or(() -> recorded.text("PYTORCH_ALLOC_CONF"))
            .orElse("");
    try {
      return PytorchSettings.parse(text);
    } catch (IllegalArgumentException e) {
      // A version of PyTorch with other values wrote the snapshot; those below are in effect.
      return PytorchSettings.defaults();
    }
  }

  private static Roundup roundup(Map<String, Long> divisions) {
    int[] counts = new int[Roundup.SIZES];
    for (int i = 0; i < counts.length; i++) {
      long count = divisions.getOrDefault(Long.toString(1L << i), 0L);
      counts[i] = Math.clamp(count, 0, 1 << 30);
    }
    return new Roundup(counts);
  }
}
