package dev.stowage.cli.option;

import dev.stowage.cli.netty.NettySettings;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.run.Usage;
import dev.stowage.trace.replay.XlaSettings;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option for settings, as PyTorch, JAX and Netty spell them. */
final class SettingsOption {

  @Option(
      names = "--settings",
      paramLabel = "SETTINGS",
      description = {
        "pytorch: the settings, as in PYTORCH_CUDA_ALLOC_CONF, such as",
        "max_split_size_mb:128,expandable_segments:True; xla: JAX's variables,",
        "such as XLA_PYTHON_CLIENT_PREALLOCATE=false; netty: arguments of java,",
        "such as -Dio.netty.allocator.type=pooled (default: those of the",
        "recording). With JAX's variables, --limit is the memory of the device,",
        "of which JAX uses the fraction XLA_CLIENT_MEM_FRACTION (default: .75).",
        "Repeatable: each one is a replay."
      })
  private List<String> texts = List.of();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /** {@return the settings as given; "" for the defaults} */
  List<String> texts() {
    return texts;
  }

  /** {@return true if there are settings, perhaps the defaults} */
  boolean isGiven() {
    return !texts.isEmpty();
  }

  /**
   * Checks that all settings belong to one allocator.
   *
   * @throws ParameterException if they belong to several
   */
  void check() {
    List<String> given = texts.stream().filter(text -> !text.isBlank()).toList();
    if (given.stream().map(SettingsOption::kindOf).distinct().count() > 1) {
      throw Usage.error(
          spec,
          "--settings are of different allocators, expected those of one: '%s'",
          String.join("', '", given));
    }
  }

  /** {@return the allocator that seems to have the settings of a text} */
  private static AllocatorKind kindOf(String text) {
    return XlaSettings.isAssignedIn(text)
        ? AllocatorKind.xla
        : text.contains("io.netty.") ? AllocatorKind.netty : AllocatorKind.pytorch;
  }

  /** {@return true if an allocator may have the settings} */
  boolean isOf(AllocatorKind kind) {
    return switch (kind) {
      case pytorch, xla, netty ->
          texts.stream().allMatch(text -> text.isBlank() || kindOf(text) == kind);
      case bfc, rmm -> false;
    };
  }

  /**
   * {@return settings of Netty's allocators}
   *
   * @throws ParameterException if they are wrong
   */
  NettySettings netty(String text) {
    return parsed(text, NettySettings::parse);
  }

  /**
   * {@return settings of XLA's allocator}
   *
   * @param limitBytes the memory of the device or the limit of a log, if one is known
   * @throws ParameterException if they are wrong, or need the memory of the device
   */
  XlaSettings xla(String text, OptionalLong limitBytes) {
    XlaSettings parsed = parsed(text, XlaSettings::parse);
    if (limitBytes.isEmpty() && parsed.preallocates()) {
      throw Usage.error(
          spec,
          "--settings: JAX preallocates a share of the device, expected --limit with the memory of"
              + " the device (without --settings, the regions of a log hold)");
    }
    return parsed;
  }

  private <T> T parsed(String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw Usage.error(spec, "--settings: " + e.getMessage());
    }
  }

  /** {@return notes on the settings of XLA's allocator without effect} */
  Stream<String> xlaNotes(OptionalLong deviceBytes) {
    return texts.stream()
        .flatMap(text -> parsed(text, XlaSettings::parse).withoutEffect(deviceBytes).stream());
  }
}
