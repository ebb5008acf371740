package dev.stowage.allocator;

/** The preset options by their growth. */
final class Presets {

  private Presets() {}

  /** {@return the preset with a growth and a limit} */
  static BfcOptions of(RegionGrowth growth, long limitBytes) {
    return switch (growth) {
      case ONE_REGION -> BfcOptions.oneRegion(limitBytes);
      case DOUBLING -> BfcOptions.growing().withLimit(limitBytes);
      case EXPANDABLE -> BfcOptions.expandable().withLimit(limitBytes);
    };
  }
}
