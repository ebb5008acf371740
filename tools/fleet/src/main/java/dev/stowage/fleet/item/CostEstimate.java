package dev.stowage.fleet.item;

import java.util.List;
import java.util.Locale;

/** Estimates of the time of items, which depend only on the size of the file and the options. */
final class CostEstimate {

  /*
   * The estimates decide the order of the items and the batches of small ones. They need not be
   * exact: an item that takes longer delays only the items of its own batch.
   */

  private static final long BYTES_OF_COMPRESSED = 8;

  /** The milliseconds of ONNX Runtime for a KiB of operators. */
  private static final long ENGINE_MILLIS = 6;

  /** The KiB of a model above which its size is that of weights. */
  private static final long MOST_OPERATORS = 400;

  private CostEstimate() {}

  /**
   * {@return the milliseconds that an item may take}
   *
   * @param command the command
   * @param path the path of the file
   * @param bytes the number of its bytes
   * @param options the options of the command
   */
  static long millis(ItemCommand command, String path, long bytes, List<String> options) {
    String name = path.toLowerCase(Locale.ROOT);
    long kibibytes = bytes / 1_024;
    boolean isPacked = name.endsWith(".gz") || name.endsWith(".zip");
    long millis =
        switch (command) {
          case PLAN -> planMillis(name, kibibytes);
          case BUDGET -> 100 + ENGINE_MILLIS * Math.min(kibibytes, MOST_OPERATORS) + kibibytes / 4;
          case REPLAY -> 10 + kibibytes * (isPacked ? BYTES_OF_COMPRESSED : 1) / 8;
          case TUNE -> 200 + kibibytes * (isPacked ? BYTES_OF_COMPRESSED : 1) * 4;
        };
    if (options.contains("--explain")) {
      millis *= 3;
    }
    if (options.contains("--reorder")) {
      millis += 2_000;
    }
    if (options.contains("--measure")) {
      millis += 5_000;
    }
    boolean hasRanges =
        command == ItemCommand.PLAN
            && ItemCommand.values("--dim", options).stream().anyMatch(it -> it.contains(".."));
    return hasRanges ? millis * 10 + 1_000 : millis;
  }

  private static long planMillis(String name, long kibibytes) {
    if (name.endsWith(".csv") || name.endsWith(".json")) {
      return 100 + 40 * kibibytes;
    }
    long engineMillis =
        name.endsWith(".onnx") ? 40 + ENGINE_MILLIS * Math.min(kibibytes, MOST_OPERATORS) : 0;
    return 20 + engineMillis + kibibytes / 16;
  }
}
