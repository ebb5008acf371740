package dev.stowage.cli.option;

import dev.stowage.cli.replay.AllocatorChoice;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.run.Usage;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.XlaRules;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
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

  private enum Kind {
    bfc("a BFC allocator"),
    pytorch("PyTorch's caching allocator"),
    rmm("the pool of RAPIDS Memory Manager"),
    xla("XLA's BFC allocator");

    private final String title;

    Kind(String title) {
      this.title = title;
    }

    /** {@return the allocator that makes traces of a format; bfc if none is known} */
    static Kind ofFormat(String format) {
      return Stream.of(values()).filter(kind -> kind.name().equals(format)).findFirst().orElse(bfc);
    }

    /** {@return true if an option selects the allocator or belongs to it} */
    boolean has(OptionSpec option) {
      return switch (option.longestName()) {
        case "--allocator", "--limit" -> true;
        case "--settings", "--phase", "--empty-cache" -> this == pytorch;
        case "--first-region" -> this == bfc || this == rmm;
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
        "The allocator: bfc (best fit with coalescing), pytorch (PyTorch's",
        "caching allocator), rmm (the pool of RAPIDS Memory Manager) or xla (the",
        "allocator of JAX). The default is the one that made the recording, and",
        "bfc for other traces; options of another allocator select that one."
      })
  private Optional<Kind> kind = Optional.empty();

  @Mixin private DeviceLimit limit = new DeviceLimit();

  @Mixin private DeviceShare share = new DeviceShare();

  @Mixin private RegionOptions regions = new RegionOptions();

  @Mixin private PytorchOptions pytorch = new PytorchOptions();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the allocators: one, or one for each of the settings}
   *
   * <p>A choice throws a {@link ParameterException} if the allocator of a recording rejects an
   * option.
   *
   * @throws ParameterException if an option is wrong or belongs to another allocator
   */
  public List<AllocatorChoice> toAllocators() {
    if (limit.bytes().isPresent() && share.limitBytes().isPresent()) {
      throw Usage.error(
          spec, "--limit and --device-bytes exclude each other, expected one of them");
    }
    Set<Kind> kinds = kinds();
    List<ReplayedAllocator> allocators = allocators(kinds.iterator().next());
    if (kinds.size() == 1) {
      return allocators.stream().<AllocatorChoice>map(allocator -> _ -> allocator).toList();
    }
    // Several settings would select PyTorch's allocator, so that each kind has one allocator here.
    return List.of(format -> {
      Kind usual = Kind.ofFormat(format);
      return (kinds.contains(usual) ? allocators(usual) : allocators).getFirst();
    });
  }

  /** {@return the allocators that have all given options} */
  private Set<Kind> kinds() {
    Set<Kind> kinds = kind.isPresent() ? EnumSet.of(kind.get()) : EnumSet.allOf(Kind.class);
    String decisive = "";
    for (OptionSpec option : given()) {
      List<Kind> having = Kind.of(option);
      String name = asGiven(option).split(" ", 2)[0];
      if (Collections.disjoint(kinds, having)) {
        String chosen = kinds.stream().map(Kind::name).collect(Collectors.joining(" or "));
        throw Usage.error(
            spec,
            "%s is an option of --allocator %s, but %s",
            name,
            having.stream().map(Kind::name).collect(Collectors.joining(" or ")),
            kind.isPresent()
                ? "the allocator is " + chosen
                : decisive + " is one of --allocator " + chosen);
      }
      decisive = kinds.retainAll(having) ? name : decisive;
    }
    return kinds;
  }

  private List<ReplayedAllocator> allocators(Kind chosen) {
    return switch (chosen) {
      case bfc -> List.of(ReplayedAllocator.bfc(optionsAsGiven(), regions.bfc(limitBytes())));
      case pytorch ->
          pytorch.rules(limitBytes()).stream().map(rules -> allocator(chosen, rules)).toList();
      case rmm -> List.of(allocator(chosen, regions.rmm(limitBytes())));
      case xla -> List.of(allocator(chosen, new XlaRules(limitBytes())));
    };
  }

  private ReplayedAllocator allocator(Kind chosen, AllocatorRules rules) {
    return new ReplayedAllocator(chosen.name(), chosen.title, optionsAsGiven(), rules);
  }

  /** {@return true if settings of PyTorch's allocator replace those of a recording} */
  public boolean hasSettings() {
    return pytorch.hasSettings();
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
