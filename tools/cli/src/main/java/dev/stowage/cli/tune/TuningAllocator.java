package dev.stowage.cli.tune;

import dev.stowage.trace.tune.SettingsSpace;
import dev.stowage.trace.tune.SettingsSpaces;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** An allocator whose settings can be searched. */
public enum TuningAllocator {
  /** Best fit with coalescing. */
  bfc("a BFC allocator"),
  /** PyTorch's caching allocator. */
  pytorch("PyTorch's caching allocator"),
  /** The pool of RAPIDS Memory Manager. */
  rmm("the pool of RAPIDS Memory Manager");

  private final String title;

  TuningAllocator(String title) {
    this.title = title;
  }

  /**
   * {@return the allocator that makes traces of a format; bfc if none is known}
   *
   * @param format the name of the format
   */
  static TuningAllocator ofFormat(String format) {
    return Stream.of(values()).filter(each -> each.name().equals(format)).findFirst().orElse(bfc);
  }

  /** {@return the name in sentences} */
  public String title() {
    return title;
  }

  /**
   * {@return the settings to try}
   *
   * @param limitBytes the memory of the device; empty for any amount
   * @param emptiesCache true if replays of PyTorch's allocator start without the recorded cache
   */
  public SettingsSpace space(OptionalLong limitBytes, boolean emptiesCache) {
    return switch (this) {
      case bfc -> SettingsSpaces.bfc(limitBytes);
      case pytorch -> SettingsSpaces.pytorch(limitBytes, emptiesCache);
      case rmm -> SettingsSpaces.rmm(limitBytes);
    };
  }
}
