package dev.stowage.cli.option;

import dev.stowage.cli.console.ShortHelp;
import dev.stowage.cli.run.Usage;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.PytorchSettings;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of PyTorch's caching allocator, apart from its settings. */
final class PytorchOptions {

  private static final Pattern PHASE = Pattern.compile("([1-9]\\d{0,17})=(.*)");

  @Option(
      names = "--phase",
      order = ShortHelp.RARE,
      paramLabel = "EVENT=K:V,...",
      description = {
        "pytorch: settings that hold from an event on (numbered as for --at), as",
        "in a job that changes them on the way; no settings mean the defaults.",
        "Repeatable."
      })
  private List<String> phases = List.of();

  @Option(
      names = "--empty-cache",
      order = ShortHelp.RARE,
      description = {
        "pytorch: release cached memory before the first event, so that the",
        "settings alone determine the segments that are added."
      })
  private boolean emptyCache;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * {@return the rules of the allocator}
   *
   * @param text the settings as given; empty for the settings of a recording
   * @param limit the memory of the device, if it is limited
   * @throws ParameterException if settings are wrong
   */
  PytorchRules rules(Optional<String> text, OptionalLong limit) {
    PytorchRules rules = PytorchRules.asRecorded().withLimit(limit);
    rules = text.isPresent() ? rules.withSettings(parsed("--settings", text.get())) : rules;
    for (String phase : phases) {
      Matcher parts = PHASE.matcher(phase);
      if (!parts.matches()) {
        throw Usage.error(
            spec,
            "--phase is '%s', expected the number of an event, '=' and settings, such as"
                + " 400=max_split_size_mb:128",
            phase);
      }
      rules = rules.withPhase(Long.parseLong(parts.group(1)), parsed("--phase", parts.group(2)));
    }
    return emptyCache ? rules.withoutCache() : rules;
  }

  private PytorchSettings parsed(String option, String text) {
    try {
      return PytorchSettings.parse(text);
    } catch (IllegalArgumentException e) {
      throw Usage.error(
          spec,
          "%s: %s%s",
          option,
          Objects.requireNonNullElse(e.getMessage(), ""),
          text.contains("=") ? "; the variables of JAX start with XLA_ or TF_" : "");
    }
  }

  /**
   * {@return notes on the settings without effect}
   *
   * @param settings the settings as given
   * @param limit the memory of the device, if it is limited
   */
  Stream<String> notes(List<String> settings, OptionalLong limit) {
    List<String> all =
        Stream.concat(
                settings.stream(),
                phases.stream().map(phase -> phase.substring(phase.indexOf('=') + 1)))
            .toList();
    return Stream.concat(
        all.stream().flatMap(text -> parsed("--settings", text).withoutEffect(limit).stream()),
        all.stream()
            .flatMap(text -> PytorchSettings.namesWithoutEffect(text).stream())
            .map(name -> name + " has no effect on the replay, which has only device memory"));
  }
}
