package dev.stowage.cli.option;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.run.Usage;
import dev.stowage.console.ByteCountConverter;
import dev.stowage.console.ShortHelp;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchSettings;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select the allocator of a replay and its settings. */
public final class AllocatorOptions {

  private static final long SMALLEST_LIMIT_BYTES = 256;
  private static final long RMM_UNIT_BYTES = 256;

  /** An allocator. */
  private enum Kind {
    bfc,
    pytorch,
    rmm
  }

  /** The options that not all allocators have. */
  private static final Map<String, Set<Kind>> OF_SOME =
      Map.ofEntries(
          Map.entry("--device-bytes", EnumSet.of(Kind.bfc)),
          Map.entry("--fraction", EnumSet.of(Kind.bfc)),
          Map.entry("--compute-capability", EnumSet.of(Kind.bfc)),
          Map.entry("--growth", EnumSet.of(Kind.bfc)),
          Map.entry("--first-region", EnumSet.of(Kind.bfc, Kind.rmm)),
          Map.entry("--max-dead", EnumSet.of(Kind.bfc)),
          Map.entry("--expandable", EnumSet.of(Kind.bfc)),
          Map.entry("--garbage-collect", EnumSet.of(Kind.bfc)),
          Map.entry("--settings", EnumSet.of(Kind.pytorch)),
          Map.entry("--empty-cache", EnumSet.of(Kind.pytorch)));

  private static final Set<String> OF_ALL = Set.of("--allocator", "--limit");

  @Option(
      names = "--allocator",
      paramLabel = "A",
      description = {
        "The allocator: bfc (best fit with coalescing, the default), pytorch",
        "(PyTorch's caching allocator) or rmm (the pool of RAPIDS Memory",
        "Manager)."
      })
  private Kind kind = Kind.bfc;

  @Option(
      names = "--limit",
      paramLabel = "BYTES",
      converter = ByteCountConverter.class,
      description = {
        "The memory of the device, such as 64MiB or 2GiB (default: no limit).",
        "The exit code is 4 if requests fail."
      })
  private Optional<Long> limit = Optional.empty();

  @Option(
      names = "--growth",
      order = ShortHelp.RARE,
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = {
        "bfc: make each region twice as large as the last one (the default), or",
        "use one region of the size of --limit."
      })
  private boolean growth = true;

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
      names = "--expandable",
      order = ShortHelp.RARE,
      description = {
        "bfc: one region that grows at its end if a request needs more, and",
        "shrinks if memory at its end becomes free."
      })
  private boolean expandable;

  @Option(
      names = "--garbage-collect",
      order = ShortHelp.RARE,
      description = "bfc: return free regions to the device before a request fails.")
  private boolean garbageCollect;

  @Option(
      names = "--settings",
      paramLabel = "K:V,...",
      description = {
        "pytorch: the settings, as in PYTORCH_CUDA_ALLOC_CONF, such as",
        "max_split_size_mb:128,expandable_segments:True (default: those of the",
        "snapshot). Repeatable: each one is a replay."
      })
  private List<String> settings = List.of();

  @Option(
      names = "--empty-cache",
      order = ShortHelp.RARE,
      description = {
        "pytorch: release cached memory before the first event, so that the",
        "settings alone determine the segments that are added."
      })
  private boolean emptyCache;

  @Mixin private DeviceShare share = new DeviceShare();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  private List<PytorchSettings> parsed = List.of();

  /**
   * {@return the allocators: one, or one for each of the settings}
   *
   * @throws ParameterException if an option is wrong or belongs to another allocator
   */
  public List<ReplayedAllocator> toAllocators() {
    given().forEach(this::checkKind);
    if (limit.isPresent() && share.limitBytes().isPresent()) {
      throw Usage.error(
          spec, "--limit and --device-bytes exclude each other, expected one of them");
    }
    checkLimit(limit.orElse(Long.MAX_VALUE), spec);
    long limitBytes = limitBytes().orElse(Long.MAX_VALUE);
    return switch (kind) {
      case bfc -> List.of(ReplayedAllocator.bfc(optionsAsGiven(), bfcOptions(limitBytes)));
      case pytorch -> {
        parsed = settings.stream().map(this::parsed).toList();
        yield parsed.isEmpty()
            ? List.of(pytorch(Optional.empty()))
            : parsed.stream().map(each -> pytorch(Optional.of(each))).toList();
      }
      case rmm ->
          List.of(
              new ReplayedAllocator(
                  "rmm",
                  "the pool of RAPIDS Memory Manager",
                  optionsAsGiven(),
                  rmmRules(),
                  Optional.empty()));
    };
  }

  private ReplayedAllocator pytorch(Optional<PytorchSettings> chosen) {
    return new ReplayedAllocator(
        "pytorch",
        "PyTorch's caching allocator",
        optionsAsGiven(),
        emptyCache
            ? AllocatorRules.pytorchWithoutCache(chosen, limitBytes())
            : AllocatorRules.pytorch(chosen, limitBytes()),
        Optional.empty());
  }

  /** {@return true if the device has a limit} */
  public boolean isLimited() {
    return limitBytes().isPresent();
  }

  /** {@return the limit that follows from other options, and the settings without effect} */
  public List<String> notes() {
    Stream<String> others =
        settings.stream()
            .flatMap(text -> PytorchSettings.namesWithoutEffect(text).stream())
            .map(name -> name + " has no effect on the replay, which has only device memory");
    Stream<String> ofValues =
        parsed.stream().flatMap(each -> each.withoutEffect(limitBytes()).stream());
    return Stream.of(share.note().stream(), ofValues, others)
        .flatMap(each -> each)
        .distinct()
        .toList();
  }

  /** {@return the most bytes that the allocator may hold; empty for any number} */
  public OptionalLong limitBytes() {
    return limit.or(share::limitBytes).map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  /** {@return the given options that select the allocator or belong to it} */
  private List<OptionSpec> given() {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option ->
            OF_SOME.containsKey(option.longestName()) || OF_ALL.contains(option.longestName()))
        .toList();
  }

  private void checkKind(OptionSpec option) {
    Set<Kind> kinds = OF_SOME.getOrDefault(option.longestName(), EnumSet.allOf(Kind.class));
    if (!kinds.contains(kind)) {
      throw Usage.error(
          spec,
          "%s is an option of --allocator %s, but the allocator is %s",
          asGiven(option).split(" ", 2)[0],
          kinds.stream().map(Kind::name).collect(Collectors.joining(" or ")),
          kind);
    }
  }

  /** {@return the options of the allocator, as on the command line} */
  private String optionsAsGiven() {
    return given().stream()
        .filter(option -> !option.longestName().equals("--allocator"))
        .map(AllocatorOptions::asGiven)
        .collect(Collectors.joining(" "));
  }

  private static String asGiven(OptionSpec option) {
    String name = option.longestName();
    return switch (option.getValue()) {
      case Boolean given when given -> name;
      case Boolean given -> name.replaceFirst("--", "--no-");
      case null, default -> name + " " + String.join(" ", option.originalStringValues());
    };
  }

  private BfcOptions bfcOptions(long limitBytes) {
    if (!growth && expandable) {
      throw Usage.error(
          spec, "--no-growth and --expandable exclude each other, expected one of them");
    }
    if (!growth && limitBytes == Long.MAX_VALUE) {
      throw Usage.error(
          spec,
          "--no-growth needs the size of its region, expected --limit or --device-bytes BYTES");
    }
    long firstRegionBytes = firstRegion.orElse(1L << 20);
    checkPositive("--first-region", firstRegionBytes);
    checkPositive("--max-dead", maxDead);
    BfcOptions base =
        expandable
            ? BfcOptions.expandable().withTrimThreshold(1)
            : growth ? BfcOptions.growing() : BfcOptions.oneRegion(limitBytes);
    BfcOptions options =
        base.withLimit(limitBytes).withFirstRegion(firstRegionBytes).withSplitThreshold(maxDead);
    return garbageCollect ? options.withGarbageCollection() : options;
  }

  private PytorchSettings parsed(String text) {
    try {
      return PytorchSettings.parse(text);
    } catch (IllegalArgumentException e) {
      throw Usage.error(spec, "--settings: " + e.getMessage());
    }
  }

  private AllocatorRules rmmRules() {
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
    return AllocatorRules.rmm(initialBytes, limitBytes());
  }

  private void checkPositive(String option, long bytes) {
    if (bytes < 1) {
      throw Usage.error(spec, "%s is %d, expected 1 or more bytes", option, bytes);
    }
  }

  /**
   * Checks the memory of a device.
   *
   * @throws ParameterException if it is too small for a chunk
   */
  public static void checkLimit(long bytes, CommandSpec spec) {
    if (bytes < SMALLEST_LIMIT_BYTES) {
      throw Usage.error(
          spec, "--limit is %d, expected %d or more bytes", bytes, SMALLEST_LIMIT_BYTES);
    }
  }
}
