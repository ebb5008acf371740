package dev.stowage.trace.tune;

import java.util.OptionalLong;

/** The settings that can be searched, one {@link SettingsSpace} for each allocator. */
public final class SettingsSpaces {

  private SettingsSpaces() {}

  /**
   * {@return the settings of PyTorch's caching allocator}
   *
   * @param limitBytes the memory of the device; empty for any amount
   * @param emptiesCache true if replays start without the recorded cache
   */
  public static SettingsSpace pytorch(OptionalLong limitBytes, boolean emptiesCache) {
    return new PytorchSpace(limitBytes, emptiesCache);
  }

  /**
   * {@return the options of a best-fit allocator with coalescing}
   *
   * @param limitBytes the memory of the device; empty for any amount
   */
  public static SettingsSpace bfc(OptionalLong limitBytes) {
    return new BfcSpace(limitBytes);
  }

  /**
   * {@return the initial sizes of the pool of RAPIDS Memory Manager}
   *
   * @param limitBytes the most bytes of the pool; empty for any number
   */
  public static SettingsSpace rmm(OptionalLong limitBytes) {
    return new RmmSpace(limitBytes);
  }

  /**
   * {@return the settings of XLA's BFC allocator}
   *
   * @param deviceBytes the memory of the device; empty for any amount
   */
  public static SettingsSpace xla(OptionalLong deviceBytes) {
    return new XlaSpace(deviceBytes);
  }
}
