package dev.stowage.cli.option;

import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.run.Usage;
import dev.stowage.trace.replay.AllocatorRules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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

  private enum Kind {
    bfc,
    pytorch,
    rmm;

    /** {@return true if an option selects the allocator or belongs to it} */
    boolean has(OptionSpec option) {
      return switch (option.longestName()) {
        case "--allocator", "--limit" -> true;
        case "--settings", "--empty-cache" -> this == pytorch;
        case "--first-region" -> this != pytorch;
        case "--device-bytes",
            "--fraction",
            "--compute-capability",
            "--growth",
            "--max-dead",
            "--expandable",
            "--garbage-collect" ->
            this == bfc;
        default -> false;
      };
    }

    /** {@return the allocators that have an option; empty if it is not one of an allocator} */
    static List<Kind> of(OptionSpec option) {
      return Stream.of(values()).filter(kind -> kind.has(option)).toList();
    }
  }

  @Option(
      names = "--allocator",
      paramLabel = "A",
      description = {
        "The allocator: bfc (best fit with coalescing, the default), pytorch",
        "(PyTorch's caching allocator) or rmm (the pool of RAPIDS Memory",
        "Manager)."
      })
  private Kind kind = Kind.bfc;

  @Mixin private DeviceLimit limit = new DeviceLimit();

  @Mixin private DeviceShare share = new DeviceShare();

  @Mixin private RegionOptions regions = new RegionOptions();

  @Mixin private PytorchOptions pytorch = new PytorchOptions();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the allocators: one, or one for each of the settings}
   *
   * @throws ParameterException if an option is wrong or belongs to another allocator
   */
  public List<ReplayedAllocator> toAllocators() {
    given().forEach(this::checkKind);
    if (limit.bytes().isPresent() && share.limitBytes().isPresent()) {
      throw Usage.error(
          spec, "--limit and --device-bytes exclude each other, expected one of them");
    }
    return switch (kind) {
      case bfc -> List.of(ReplayedAllocator.bfc(optionsAsGiven(), regions.bfc(limitBytes())));
      case pytorch ->
          pytorch.rules(limitBytes()).stream()
              .map(rules -> allocator("PyTorch's caching allocator", rules))
              .toList();
      case rmm ->
          List.of(allocator("the pool of RAPIDS Memory Manager", regions.rmm(limitBytes())));
    };
  }

  private ReplayedAllocator allocator(String title, AllocatorRules rules) {
    return new ReplayedAllocator(kind.name(), title, optionsAsGiven(), rules, Optional.empty());
  }

  /** {@return true if the device has a limit} */
  public boolean isLimited() {
    return limitBytes().isPresent();
  }

  /** {@return the limit that follows from other options, and the settings without effect} */
  public List<String> notes() {
    return Stream.concat(share.note().stream(), pytorch.notes(limitBytes())).distinct().toList();
  }

  /** {@return the most bytes that the allocator may hold; empty for any number} */
  public OptionalLong limitBytes() {
    OptionalLong bytes = limit.bytes();
    return bytes.isPresent() ? bytes : share.limitBytes();
  }

  /** {@return the given options that select the allocator or belong to it} */
  private List<OptionSpec> given() {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> !Kind.of(option).isEmpty())
        .toList();
  }

  private void checkKind(OptionSpec option) {
    if (!kind.has(option)) {
      throw Usage.error(
          spec,
          "%s is an option of --allocator %s, but the allocator is %s",
          asGiven(option).split(" ", 2)[0],
          Kind.of(option).stream().map(Kind::name).collect(Collectors.joining(" or ")),
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
}
