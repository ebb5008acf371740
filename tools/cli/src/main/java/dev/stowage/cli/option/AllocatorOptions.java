package dev.stowage.cli.option;

import dev.stowage.cli.replay.AllocatorChoice;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.run.GivenOptions;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.trace.netty.NettyRules;
import dev.stowage.trace.netty.NettySettings;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.XlaRules;
import dev.stowage.trace.replay.XlaSettings;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that select the allocator of a replay and its settings. */
public final class AllocatorOptions {

  @Option(
      names = "--allocator",
      paramLabel = "A",
      description = {
        "The allocator: bfc (best fit with coalescing), pytorch (PyTorch's",
        "caching allocator), rmm (the pool of RAPIDS Memory Manager), xla (the",
        "allocator of JAX) or netty (direct buffers of Netty). The default is the",
        "one that made the recording, and bfc for other traces; options of",
        "another allocator select that one."
      })
  private Optional<AllocatorKind> kind = Optional.empty();

  @Mixin private DeviceLimit limit = new DeviceLimit();

  @Mixin private RegionOptions regions = new RegionOptions();

  @Mixin private SettingsOption settings = new SettingsOption();

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
    settings.check();
    Set<AllocatorKind> kinds = kinds();
    List<ReplayedAllocator> allocators = allocators(kinds.iterator().next());
    if (kinds.size() == 1) {
      return allocators.stream().<AllocatorChoice>map(allocator -> _ -> allocator).toList();
    }
    // Each kind has one allocator, or one for each of the settings.
    return IntStream.range(0, allocators.size())
        .<AllocatorChoice>mapToObj(index ->
            format -> {
              AllocatorKind usual = AllocatorKind.ofFormat(format);
              return (kinds.contains(usual) ? allocators(usual) : allocators).get(index);
            })
        .toList();
  }

  /** {@return the allocator that made a recording, with its defaults and without a limit} */
  public static AllocatorChoice ofRecordings() {
    AllocatorOptions defaults = new AllocatorOptions();
    OptionalLong none = OptionalLong.empty();
    return format -> {
      AllocatorKind kind = AllocatorKind.ofFormat(format);
      AllocatorRules rules =
          switch (kind) {
            case bfc -> AllocatorRules.bfc(defaults.regions.bfc(none));
            case pytorch -> defaults.pytorch.rules(List.of(), none).getFirst();
            case rmm -> defaults.regions.rmm(none);
            case xla -> new XlaRules(none);
            case netty -> new NettyRules(Optional.empty(), none);
          };
      return new ReplayedAllocator(kind.name(), kind.title(), "", rules);
    };
  }

  /** {@return the allocators that have all given options} */
  private Set<AllocatorKind> kinds() {
    Set<AllocatorKind> kinds =
        kind.isPresent() ? EnumSet.of(kind.get()) : EnumSet.allOf(AllocatorKind.class);
    String decisive = "";
    for (OptionSpec option : given()) {
      List<AllocatorKind> having = having(option);
      // The value of --settings shows the allocator; the values of other options do not.
      String name =
          GivenOptions.name(option).equals("--settings")
              ? asGiven(option)
              : asGiven(option).split(" ", 2)[0];
      if (Collections.disjoint(kinds, having)) {
        String chosen = kinds.stream().map(AllocatorKind::name).collect(Collectors.joining(" or "));
        throw Usage.error(
            spec,
            "%s is an option of --allocator %s, but %s",
            name,
            having.stream().map(AllocatorKind::name).collect(Collectors.joining(" or ")),
            kind.isPresent()
                ? "the allocator is " + chosen
                : decisive + " is one of --allocator " + chosen);
      }
      decisive = kinds.retainAll(having) ? name : decisive;
    }
    return kinds;
  }

  /** {@return the allocators that have an option; empty if it is not one of an allocator} */
  private List<AllocatorKind> having(OptionSpec option) {
    return Stream.of(AllocatorKind.values()).filter(each -> has(each, option)).toList();
  }

  /** {@return true if an option selects the allocator or belongs to it} */
  private boolean has(AllocatorKind each, OptionSpec option) {
    return switch (GivenOptions.name(option)) {
      case "--allocator", "--limit" -> true;
      case "--settings" ->
          settings.isOf(each)
              // If the user chose the allocator, settings are read as its own.
              || ((each == AllocatorKind.xla || each == AllocatorKind.netty)
                  && kind.equals(Optional.of(each)));
      case "--phase", "--empty-cache" -> each == AllocatorKind.pytorch;
      case "--first-region" -> each == AllocatorKind.bfc || each == AllocatorKind.rmm;
      case "--growth", "--max-dead", "--expandable", "--garbage-collect" ->
          each == AllocatorKind.bfc;
      default -> false;
    };
  }

  private List<ReplayedAllocator> allocators(AllocatorKind chosen) {
    return switch (chosen) {
      case bfc -> List.of(ReplayedAllocator.bfc(optionsAsGiven(), regions.bfc(limitBytes())));
      case pytorch ->
          pytorch.rules(settings.texts(), limitBytes()).stream()
              .map(rules -> allocator(chosen, rules))
              .toList();
      case rmm -> List.of(allocator(chosen, regions.rmm(limitBytes())));
      case xla ->
          settings.isGiven()
              ? settings.xla(limitBytes()).stream().map(this::xla).toList()
              : List.of(allocator(chosen, new XlaRules(limitBytes())));
      case netty ->
          settings.isGiven()
              ? settings.netty().stream().map(each -> netty(Optional.of(each))).toList()
              : List.of(netty(Optional.empty()));
    };
  }

  private ReplayedAllocator allocator(AllocatorKind chosen, AllocatorRules rules) {
    return new ReplayedAllocator(chosen.name(), chosen.title(), optionsAsGiven(), rules);
  }

  private ReplayedAllocator xla(XlaSettings chosen) {
    return new ReplayedAllocator(
        AllocatorKind.xla.name(),
        AllocatorKind.xla.title(),
        chosen.toString(),
        chosen.rules(limitBytes()));
  }

  private ReplayedAllocator netty(Optional<NettySettings> chosen) {
    return allocator(AllocatorKind.netty, new NettyRules(chosen, limitBytes()));
  }

  /** {@return true if settings replace those of a recording} */
  public boolean hasSettings() {
    return settings.isGiven();
  }

  /** {@return true if the device has a limit} */
  public boolean isLimited() {
    return limitBytes().isPresent();
  }

  /** {@return sentences on the settings without effect} */
  public List<String> notes() {
    Stream<String> withoutEffect =
        kinds().contains(AllocatorKind.pytorch)
            ? pytorch.notes(settings.texts(), limitBytes())
            : kinds().contains(AllocatorKind.netty)
                ? settings.nettyNotes()
                : settings.xlaNotes(limitBytes());
    return withoutEffect.distinct().toList();
  }

  /**
   * {@return the limit of XLA's allocator that follows from its only settings; empty if there are
   * none, or several}
   *
   * @param summary the allocator after a replay
   */
  public Optional<String> shareNote(AllocatorSummary summary) {
    OptionalLong deviceBytes = limitBytes();
    return summary.name().equals(AllocatorKind.xla.name())
            && settings.isGiven()
            && !settings.isRepeated()
            && deviceBytes.isPresent()
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the allocator may hold %s of the device's %s",
                ByteUnit.exact(
                    XlaSettings.parse(summary.settings()).limitBytes(deviceBytes.getAsLong())),
                ByteUnit.human(deviceBytes.getAsLong())))
        : Optional.empty();
  }

  /** {@return the most bytes that the allocator may hold; empty for any number} */
  public OptionalLong limitBytes() {
    return limit.bytes();
  }

  /** {@return the given options that select the allocator or belong to it} */
  private List<OptionSpec> given() {
    return spec.commandLine().getParseResult().matchedOptions().stream()
        .filter(option -> !having(option).isEmpty())
        .toList();
  }

  /** {@return the options of the allocator, as on the command line} */
  private String optionsAsGiven() {
    return given().stream()
        .filter(option -> !GivenOptions.name(option).equals("--allocator"))
        .map(AllocatorOptions::asGiven)
        .collect(Collectors.joining(" "));
  }

  private static String asGiven(OptionSpec option) {
    String name = GivenOptions.name(option);
    return switch (option.getValue()) {
      case Boolean given when given -> name;
      case Boolean given -> name.replaceFirst("--", "--no-");
      case null, default -> name + " " + String.join(" ", option.originalStringValues());
    };
  }
}
