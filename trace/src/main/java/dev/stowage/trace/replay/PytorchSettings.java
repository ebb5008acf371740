package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The settings of PyTorch's caching allocator that change placements, as in the environment
 * variable {@code PYTORCH_CUDA_ALLOC_CONF}.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class PytorchSettings {

  /** The value of {@link #maxSplitBytes()} without a limit. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  static final long MIB = 1 << 20;
  static final long DEFAULT_SEGMENT_BYTES = 20 * MIB;

  private static final long SMALLEST_LARGE_SEGMENT_MB = 10;
  private static final long SMALLEST_REST = 512;

  private static final PytorchSettings DEFAULTS = new PytorchSettings();

  // No field changes once a with method has returned the settings.
  private long maxSplitBytes = UNLIMITED;
  private long maxNonSplitRoundingBytes = DEFAULT_SEGMENT_BYTES;
  private long largeSegmentBytes = DEFAULT_SEGMENT_BYTES;
  private Roundup roundup = Roundup.NONE;
  private double garbageCollectionThreshold;
  private double memoryFraction = 1;
  private boolean isExpandable;

  /** The addresses of an expandable segment, as given; empty for the default. */
  private String reserve = "";

  /** The settings that are not known, as they were given. */
  private List<String> unknown = List.of();

  private PytorchSettings() {}

  private PytorchSettings(PytorchSettings other) {
    maxSplitBytes = other.maxSplitBytes;
    maxNonSplitRoundingBytes = other.maxNonSplitRoundingBytes;
    largeSegmentBytes = other.largeSegmentBytes;
    roundup = other.roundup;
    garbageCollectionThreshold = other.garbageCollectionThreshold;
    memoryFraction = other.memoryFraction;
    isExpandable = other.isExpandable;
    reserve = other.reserve;
    unknown = other.unknown;
  }

  /** {@return the settings of a process without {@code PYTORCH_CUDA_ALLOC_CONF}} */
  public static PytorchSettings defaults() {
    return DEFAULTS;
  }

  /**
   * {@return the settings in a text, such as {@code
   * max_split_size_mb:128,expandable_segments:True}}
   *
   * <p>Settings that the text does not name have their defaults. Names that have no effect on
   * placements are accepted, if their values are valid. Settings with other names, such as settings
   * of newer versions of PyTorch, are kept without an effect.
   *
   * @param text the settings
   * @throws IllegalArgumentException if PyTorch would reject a value, or would use another
   *     allocator
   */
  public static PytorchSettings parse(String text) {
    return parse(new SettingsText(text));
  }

  private static PytorchSettings parse(SettingsText text) {
    PytorchSettings settings = defaults();
    while (text.hasNext()) {
      String name = text.nextName();
      settings = settings.with(name, text);
      text.endSetting(name);
    }
    return settings;
  }

  /** {@return these settings with the value that follows the name in a text} */
  private PytorchSettings with(String name, SettingsText text) {
    return switch (name) {
      case "max_split_size_mb" -> withMaxSplit(text.megabytes(name, largeSegmentBytes / MIB));
      case "max_non_split_rounding_mb" ->
          withMaxNonSplitRounding(text.megabytes(name, largeSegmentBytes / MIB));
      case "large_segment_size_mb" ->
          withLargeSegment(text.megabytes(name, SMALLEST_LARGE_SEGMENT_MB + 1));
      case "garbage_collection_threshold" -> withGarbageCollection(text.threshold(name));
      case "per_process_memory_fraction" -> withMemoryFraction(text.fraction(name));
      case "expandable_segments" -> withExpandable(text.flag(name));
      case "expandable_segments_reserve" -> withReserve(text.reserve(name));
      case "roundup_power2_divisions" -> with(text.roundup(name));
      case "backend" -> {
        text.checkBackend(name);
        yield this;
      }
      default -> {
        Optional<String> other = text.otherSetting(name);
        yield other.isEmpty() ? this : withUnknown(other.get());
      }
    };
  }

  private PytorchSettings withReserve(String addresses) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.reserve = addresses;
    return changed;
  }

  /**
   * {@return the bytes of the addresses of an expandable segment; empty if the setting does not
   * tell}
   *
   * @param deviceBytes the memory of the device; empty if it is not known
   */
  OptionalLong reserveBytes(OptionalLong deviceBytes) {
    if (reserve.isEmpty()) {
      return OptionalLong.empty();
    }
    if (SettingsText.isInGib(reserve)) {
      return OptionalLong.of((long) (SettingsText.reserveNumber(reserve) * (1L << 30)));
    }
    return deviceBytes.isEmpty()
        ? deviceBytes
        : OptionalLong.of((long) (SettingsText.reserveNumber(reserve) * deviceBytes.getAsLong()));
  }

  private PytorchSettings withUnknown(String setting) {
    List<String> all = new ArrayList<>(unknown);
    all.add(setting);
    PytorchSettings changed = new PytorchSettings(this);
    changed.unknown = List.copyOf(all);
    return changed;
  }

  /** {@return the names of the settings with an unknown effect} */
  public List<String> unknownNames() {
    return unknown.stream().map(setting -> setting.split(":", 2)[0]).toList();
  }

  /**
   * {@return the names of settings in a text that have no effect on placements, such as settings of
   * pinned host memory}
   *
   * @param text the settings
   * @throws IllegalArgumentException if {@link #parse} rejects the text
   */
  public static List<String> namesWithoutEffect(String text) {
    SettingsText settings = new SettingsText(text);
    parse(settings);
    return settings.withoutEffect();
  }

  /**
   * {@return these settings with a size from which blocks are not split}
   *
   * @param bytes the bytes, or {@link #UNLIMITED}
   */
  public PytorchSettings withMaxSplit(long bytes) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.maxSplitBytes = bytes;
    return changed;
  }

  /**
   * {@return these settings with a limit for the bytes of an unsplit block beyond its request}
   *
   * @param bytes the bytes
   */
  public PytorchSettings withMaxNonSplitRounding(long bytes) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.maxNonSplitRoundingBytes = bytes;
    return changed;
  }

  /**
   * {@return these settings with a size for the segments of requests between 1 MiB and 10 MiB}
   *
   * @param bytes the bytes
   */
  public PytorchSettings withLargeSegment(long bytes) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.largeSegmentBytes = bytes;
    return changed;
  }

  /**
   * {@return these settings with requests rounded up to divisions between powers of two}
   *
   * @param divisions for 16 sizes (1 MiB, 2 MiB, and so on to 32 GiB) the number of divisions of
   *     requests from this size; a power of two, or 0 for none
   * @throws IllegalArgumentException if there are not 16 numbers, or one is neither 0 nor a power
   *     of two
   */
  public PytorchSettings withRoundup(int... divisions) {
    if (divisions.length != Roundup.SIZES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "there are divisions for %d sizes, expected %d",
              divisions.length,
              Roundup.SIZES));
    }
    for (int count : divisions) {
      if (count < 0 || Integer.bitCount(count) > 1) {
        throw new IllegalArgumentException(
            "divisions must be 0 or powers of two: divisions=" + count);
      }
    }
    return with(new Roundup(divisions));
  }

  PytorchSettings with(Roundup divisions) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.roundup = divisions;
    return changed;
  }

  /**
   * {@return these settings with another threshold of the garbage collection}
   *
   * @param share the share of the allowed memory above which cached segments are released before
   *     another one is allocated; 0 for never
   */
  public PytorchSettings withGarbageCollection(double share) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.garbageCollectionThreshold = share;
    return changed;
  }

  /**
   * {@return these settings with a limit for the memory of the process}
   *
   * @param share the share of the memory of the device; 1 for no limit
   */
  public PytorchSettings withMemoryFraction(double share) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.memoryFraction = share;
    return changed;
  }

  /**
   * {@return these settings with or without expandable segments}
   *
   * @param expandable true if segments grow
   */
  public PytorchSettings withExpandable(boolean expandable) {
    PytorchSettings changed = new PytorchSettings(this);
    changed.isExpandable = expandable;
    return changed;
  }

  /** {@return the bytes from which blocks are not split, or {@link #UNLIMITED}} */
  public long maxSplitBytes() {
    return maxSplitBytes;
  }

  /** {@return the limit for the bytes of a block that is not split beyond its request} */
  public long maxNonSplitRoundingBytes() {
    return maxNonSplitRoundingBytes;
  }

  /** {@return the size of the segments for requests between 1 MiB and 10 MiB} */
  public long largeSegmentBytes() {
    return largeSegmentBytes;
  }

  /**
   * {@return the share of the allowed memory above which cached segments are released; 0: never}
   */
  public double garbageCollectionThreshold() {
    return garbageCollectionThreshold;
  }

  /** {@return the share of the device that the process may use; 1: all} */
  public double memoryFraction() {
    return memoryFraction;
  }

  /** {@return true if segments grow} */
  public boolean isExpandable() {
    return isExpandable;
  }

  /**
   * {@return true if a free block may serve a request that it is large enough for}
   *
   * @param freeBytes the bytes of the free block
   * @param blockBytes the bytes of the block that the request needs
   */
  boolean fits(long freeBytes, long blockBytes) {
    return blockBytes < maxSplitBytes
        ? freeBytes < maxSplitBytes
        : freeBytes - blockBytes < maxNonSplitRoundingBytes;
  }

  /**
   * {@return true if the rest of a block is split off}
   *
   * @param restBytes the bytes of the rest
   * @param blockBytes the bytes of the block that the request needs
   * @param isSmall true if the block serves small requests
   * @param growsSegments true if segments are expandable
   */
  boolean splits(long restBytes, long blockBytes, boolean isSmall, boolean growsSegments) {
    return (isSmall || growsSegments)
        ? restBytes >= SMALLEST_REST
        : (restBytes > MIB && blockBytes < maxSplitBytes);
  }

  /**
   * {@return the bytes of the block for a request, before a rest is added that is not split off}
   *
   * @param bytes the requested bytes
   */
  public long blockBytes(long bytes) {
    return roundup.blockBytes(bytes);
  }

  /**
   * {@return the settings that have no effect on a device, each with the reason}
   *
   * @param limitBytes the memory of the device, if it is known
   */
  public List<String> withoutEffect(OptionalLong limitBytes) {
    List<String> notes = new ArrayList<>();
    if (garbageCollectionThreshold > 0 && limitBytes.isEmpty()) {
      notes.add(
          "garbage_collection_threshold has no effect without a limit, as"
              + " set_per_process_memory_fraction sets it: add --limit");
    }
    if (memoryFraction < 1 && limitBytes.isEmpty()) {
      notes.add(
          "per_process_memory_fraction has no effect if the memory of the device is not known: add"
              + " --limit");
    }
    if (maxSplitBytes == UNLIMITED && maxNonSplitRoundingBytes != DEFAULT_SEGMENT_BYTES) {
      notes.add("max_non_split_rounding_mb has no effect without max_split_size_mb");
    }
    unknownNames().forEach(name -> notes.add(withoutKnownEffect(name)));
    return notes;
  }

  /**
   * {@return a sentence on a setting that is not known}
   *
   * @param name its name
   */
  public static String withoutKnownEffect(String name) {
    return name + " is not a setting that Stowage knows; it has no effect on the replay";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PytorchSettings that
        && maxSplitBytes == that.maxSplitBytes
        && maxNonSplitRoundingBytes == that.maxNonSplitRoundingBytes
        && largeSegmentBytes == that.largeSegmentBytes
        && roundup.equals(that.roundup)
        && garbageCollectionThreshold == that.garbageCollectionThreshold
        && memoryFraction == that.memoryFraction
        && isExpandable == that.isExpandable
        && reserve.equals(that.reserve)
        && unknown.equals(that.unknown);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        maxSplitBytes,
        maxNonSplitRoundingBytes,
        largeSegmentBytes,
        roundup,
        garbageCollectionThreshold,
        memoryFraction,
        isExpandable,
        reserve,
        unknown);
  }

  /** {@return the settings that differ from the defaults, in PyTorch's syntax; "" if none does} */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (largeSegmentBytes != DEFAULT_SEGMENT_BYTES) {
      // First, because PyTorch compares max_split_size_mb with it in the order of the text.
      parts.add("large_segment_size_mb:" + largeSegmentBytes / MIB);
    }
    if (maxSplitBytes != UNLIMITED) {
      parts.add("max_split_size_mb:" + maxSplitBytes / MIB);
    }
    if (maxNonSplitRoundingBytes != DEFAULT_SEGMENT_BYTES) {
      parts.add("max_non_split_rounding_mb:" + maxNonSplitRoundingBytes / MIB);
    }
    if (!roundup.isNone()) {
      parts.add("roundup_power2_divisions:" + roundup);
    }
    if (garbageCollectionThreshold > 0) {
      parts.add("garbage_collection_threshold:" + garbageCollectionThreshold);
    }
    if (memoryFraction < 1) {
      parts.add("per_process_memory_fraction:" + memoryFraction);
    }
    if (isExpandable) {
      parts.add("expandable_segments:True");
    }
    if (!reserve.isEmpty()) {
      parts.add("expandable_segments_reserve:" + reserve);
    }
    parts.addAll(unknown);
    return String.join(",", parts);
  }
}
