package dev.stowage.cli.option;

import dev.stowage.cli.netty.NettyAllocator;
import dev.stowage.cli.replay.AllocatorChoice;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayedAllocator;
import dev.stowage.cli.run.CommandLineWords;
import dev.stowage.cli.run.Usage;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PytorchSettings;
import dev.stowage.trace.replay.XlaRules;
import dev.stowage.trace.replay.XlaSettings;
import java.util.ArrayList;
import java.util.Collection;
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

  @Option(
      names = "--allocator",
      paramLabel = "A",
      description = {
        "The allocator: bfc (best fit with coalescing), pytorch (PyTorch's",
        "caching allocator), rmm (the pool of RAPIDS Memory Manager), xla (the",
        "allocator of JAX) or netty (a real Netty, for its recordings only). The",
        "default is the one that made the recording, and bfc for other traces;",
        "options of another allocator select that one."
      })
  private Optional<AllocatorKind> kind = Optional.empty();

  @Mixin private DeviceLimit limit = new DeviceLimit();

  @Mixin private RegionOptions regions = new RegionOptions();

  @Mixin private SettingsOption settings = new SettingsOption();

  @Mixin private PytorchOptions pytorch = new PytorchOptions();

  @Mixin private NettyEngineOption engine = new NettyEngineOption();

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
    List<Optional<String>> texts =
        settings.isGiven()
            ? settings.texts().stream().map(Optional::of).toList()
            : List.of(Optional.empty());
    // Wrong options are errors before a trace is read, which may have a limit.
    OptionalLong anyLimit = OptionalLong.of(Long.MAX_VALUE);
    texts.forEach(text -> allocator(kinds.iterator().next(), text, anyLimit));
    return texts.stream().<AllocatorChoice>map(text -> new Choice(kinds, text)).toList();
  }

  /** The allocators that accept all given options, with one text of settings or none. */
  private final class Choice implements AllocatorChoice {

    private final Set<AllocatorKind> kinds;
    private final Optional<String> text;

    Choice(Set<AllocatorKind> kinds, Optional<String> text) {
      this.kinds = kinds;
      this.text = text;
    }

    @Override
    public ReplayedAllocator of(String format, OptionalLong loggedLimit) {
      AllocatorKind usual = AllocatorKind.ofFormat(format);
      AllocatorKind chosen = kinds.contains(usual) ? usual : kinds.iterator().next();
      engine.check(chosen, format);
      return allocator(chosen, text, loggedLimit);
    }

    @Override
    public boolean needsLimit() {
      return kinds.contains(AllocatorKind.xla) && text.isPresent() && limitBytes().isEmpty();
    }
  }

  /** {@return the allocators that have all given options} */
  private Set<AllocatorKind> kinds() {
    Set<AllocatorKind> kinds =
        kind.isPresent() ? EnumSet.of(kind.get()) : EnumSet.allOf(AllocatorKind.class);
    for (OptionSpec option : given()) {
      Set<AllocatorKind> having = having(option);
      // The value of --settings shows the allocator; the values of other options do not.
      String name =
          CommandLineWords.name(option).equals("--settings")
              ? asGiven(option)
              : asGiven(option).split(" ", 2)[0];
      if (Collections.disjoint(kinds, having)) {
        throw Usage.error(
            spec,
            "%s has no effect with --allocator %s; omit it, or use --allocator %s",
            name,
            names(kinds),
            names(having));
      }
      kinds.retainAll(having);
    }
    return kinds;
  }

  private static String names(Collection<AllocatorKind> kinds) {
    return kinds.stream().map(AllocatorKind::name).collect(Collectors.joining(" or "));
  }

  /** {@return the allocators that have an option; empty if it is not one of an allocator} */
  private Set<AllocatorKind> having(OptionSpec option) {
    return switch (CommandLineWords.name(option)) {
      case "--allocator", "--limit" -> EnumSet.allOf(AllocatorKind.class);
      case "--settings" -> havingSettings();
      case "--phase", "--empty-cache" -> EnumSet.of(AllocatorKind.pytorch);
      case "--engine" -> EnumSet.of(AllocatorKind.netty);
      case "--first-region" -> EnumSet.of(AllocatorKind.bfc, AllocatorKind.rmm);
      case "--growth", "--no-growth", "--max-dead", "--expandable", "--garbage-collect" ->
          EnumSet.of(AllocatorKind.bfc);
      default -> EnumSet.noneOf(AllocatorKind.class);
    };
  }

  private Set<AllocatorKind> havingSettings() {
    Set<AllocatorKind> having = EnumSet.allOf(AllocatorKind.class);
    having.removeIf(each -> !settings.isOf(each));
    // If the user chose the allocator, settings are read as its own.
    kind.filter(each -> each == AllocatorKind.xla || each == AllocatorKind.netty)
        .ifPresent(having::add);
    return having;
  }

  private ReplayedAllocator allocator(
      AllocatorKind chosen, Optional<String> text, OptionalLong loggedLimit) {
    return switch (chosen) {
      case bfc -> ReplayedAllocator.bfc(optionsAsGiven(), regions.bfc(limitBytes()));
      case pytorch -> allocator(chosen, pytorch.rules(text, limitBytes()));
      case rmm -> allocator(chosen, regions.rmm(limitBytes()));
      case xla ->
          text.isPresent()
              ? xla(text.get(), loggedLimit)
              : allocator(chosen, new XlaRules(limitBytes()));
      case netty ->
          allocator(
              chosen,
              NettyAllocator.rules(engine.netty(), text.map(settings::netty), limitBytes()));
    };
  }

  private ReplayedAllocator allocator(AllocatorKind chosen, AllocatorRules rules) {
    return new ReplayedAllocator(chosen, optionsAsGiven(), limitBytes(), rules);
  }

  private ReplayedAllocator xla(String text, OptionalLong loggedLimit) {
    OptionalLong deviceBytes = limitBytes();
    OptionalLong limit = deviceBytes.isPresent() ? deviceBytes : loggedLimit;
    XlaSettings chosen = settings.xla(text, limit);
    return new ReplayedAllocator(
        AllocatorKind.xla,
        chosen.toString(),
        limit,
        deviceBytes.isEmpty() && loggedLimit.isPresent()
            ? chosen.rulesWithin(loggedLimit.getAsLong())
            : chosen.rules(deviceBytes));
  }

  /** {@return sentences on the settings without effect} */
  public List<String> notes() {
    Stream<String> withoutEffect =
        kinds().contains(AllocatorKind.pytorch)
            ? pytorch.notes(settings.texts(), limitBytes())
            : kinds().contains(AllocatorKind.netty) ? Stream.of() : settings.xlaNotes(limitBytes());
    return withoutEffect.distinct().toList();
  }

  /** {@return the notes on the allocator after a replay} */
  public List<String> notes(AllocatorSummary summary) {
    List<String> notes = new ArrayList<>();
    long contradictions = summary.agreement().contradictions();
    if (contradictions > 0) {
      notes.add(
          Text.of(
              "%s of the recording %s its segments, as if it had lost events; addresses may differ"
                  + " from the recorded ones",
              Numbers.count(contradictions, "event"),
              contradictions == 1 ? "contradicts" : "contradict"));
    }
    if (!settings.isGiven()) {
      summary
          .unknownSettings()
          .forEach(name -> notes.add(PytorchSettings.withoutKnownEffect(name)));
    }
    return notes;
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
        .filter(option -> !CommandLineWords.name(option).equals("--allocator"))
        .map(AllocatorOptions::asGiven)
        .collect(Collectors.joining(" "));
  }

  private static String asGiven(OptionSpec option) {
    String name = CommandLineWords.name(option);
    return option.arity().max() == 0
        ? name
        : name + " " + String.join(" ", option.originalStringValues());
  }
}
