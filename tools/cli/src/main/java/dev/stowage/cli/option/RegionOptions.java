package dev.stowage.cli.option;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.cli.console.ByteCountConverter;
import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Usage;
import dev.stowage.trace.replay.AllocatorRules;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the regions that {@code bfc} and {@code rmm} request, and for their chunks. */
final class RegionOptions {

  private static final long RMM_UNIT_BYTES = 256;

  @ArgGroup private Growth growth = new Growth();

  @Option(
      names = "--first-region",
      order = ShortHelp.RARE,
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "bfc: smallest size of the first region, if regions double (default:",
        "1MiB). rmm: the size with which the pool starts (default: 0)."
      })
  private Optional<Long> firstRegion = Optional.empty();

  @Option(
      names = "--max-dead",
      order = ShortHelp.RARE,
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "bfc: split a chunk if the rest has at least BYTES or is at least as",
        "large as the request (default: 128MiB)."
      })
  private long maxDead = 128 << 20;

  @Option(
      names = "--garbage-collect",
      order = ShortHelp.RARE,
      description = "bfc: return free regions to the device before a request fails.")
  private boolean garbageCollect;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** The kinds of regions. The user chooses one of them. */
  private static final class Growth {

    @SuppressWarnings("UnusedVariable") // the default
    @Option(
        names = "--growth",
        order = ShortHelp.RARE,
        description = "bfc: make each region twice as large as the last one (the default).")
    private boolean isDoubled;

    @Option(
        names = "--no-growth",
        order = ShortHelp.RARE,
        description = "bfc: use one region of the size of --limit.")
    private boolean isOne;

    @Option(
        names = "--expandable",
        order = ShortHelp.RARE,
        description = {
          "bfc: one region that grows at its end if a request needs more, and",
          "shrinks if memory at its end becomes free."
        })
    private boolean isExpandable;
  }

  /**
   * {@return the options of a best-fit allocator with coalescing}
   *
   * @param limit the memory of the device, if it is limited
   * @throws ParameterException if an option is wrong
   */
  BfcOptions bfc(OptionalLong limit) {
    long limitBytes = limit.orElse(Long.MAX_VALUE);
    if (growth.isOne && limitBytes == Long.MAX_VALUE) {
      throw Usage.error(spec, "--no-growth needs the size of its region, expected --limit BYTES");
    }
    long firstRegionBytes = firstRegion.orElse(1L << 20);
    checkPositive("--first-region", firstRegionBytes);
    checkPositive("--max-dead", maxDead);
    BfcOptions base =
        growth.isExpandable
            ? BfcOptions.expandable().withTrimThreshold(1)
            : growth.isOne ? BfcOptions.oneRegion(limitBytes) : BfcOptions.growing();
    BfcOptions options =
        base.withLimit(limitBytes).withFirstRegion(firstRegionBytes).withSplitThreshold(maxDead);
    return garbageCollect ? options.withGarbageCollection() : options;
  }

  private void checkPositive(String option, long bytes) {
    if (bytes < 1) {
      throw Usage.error(spec, "%s is %d, expected 1 or more bytes", option, bytes);
    }
  }

  /**
   * {@return the rules of the pool of RAPIDS Memory Manager}
   *
   * @param limit the memory of the device, if it is limited
   * @throws ParameterException if an option is wrong
   */
  AllocatorRules rmm(OptionalLong limit) {
    long initialBytes = firstRegion.orElse(0L);
    if (initialBytes < 0 || initialBytes % RMM_UNIT_BYTES != 0) {
      throw Usage.error(
          spec,
          "--first-region is %d, expected a multiple of 256 bytes for --allocator rmm",
          initialBytes);
    }
    if (initialBytes > limit.orElse(Long.MAX_VALUE)) {
      throw Usage.error(
          spec,
          "--first-region is %d, expected at most the --limit of %d bytes",
          initialBytes,
          limit.orElseThrow());
    }
    return AllocatorRules.rmm(initialBytes, limit);
  }
}
